package import Configuration
internal import Glibc
internal import Hashing
internal import MIME
package import MailModel
internal import Octets
internal import Platform
package import Sendmail

/// A user of this machine who hands in messages: the address to send from, and what names without a domain mean.
package struct Correspondent: Sendable {
  private let sender: Sender?
  private let configuration: Configuration?
  private let user: UInt32

  /// A user of this machine who sends with an account of a configuration; `nil` where the user or the account is gone.
  package init(_ sender: Sender?, _ configuration: Configuration?, user: UInt32) {
    self.sender = sender
    self.configuration = configuration
    self.user = user
  }

  /// What is known about the user, and about this moment.
  package var identity: Identity {
    let now = Clock.now()
    return Identity(
      address: sender?.address.map { Array($0.utf8) },
      fullName: sender?.fullName.map { Array($0.utf8) } ?? realName,
      host: Self.host,
      date: MessageDate(seconds: now, offset: LocalTime.offset(at: now) / 60),
      token: Array(String(now, radix: 36).utf8) + [ASCII.dot] + Hex.encode(Hashes.random(12)),
      rewriting: rewriting,
      namesRecipients: sender?.shared.to == .local
    )
  }

  private var rewriting: SenderRewriting {
    let own = sender?.addresses.map { Array($0.utf8) } ?? []
    return switch sender?.shared.from ?? .never {
    case .never: .never
    case .local: .local(hosts: [Self.host], own: own)
    case .always: .others(own)
    }
  }

  /// What names without a domain mean.
  ///
  /// - Throws: a file of aliases that cannot be used.
  package func book() throws(Explanation) -> AddressBook {
    let file = AliasFile(user: user)
    return AddressBook(try aliases(file), localNames) { (list) throws(AliasFileProblem) in
      try file.read(list: list)
    }
  }

  /// Where aliases are, in the order in which they count: beside the configuration, those of the system's accounts, and
  /// those of any sendmail.
  private func aliases(_ file: AliasFile) throws(Explanation) -> [Aliases] {
    var files: [Aliases] = []
    var seen: Set<Path> = []
    let own = configuration?.path.parent.appending("aliases")
    let shared = [Path("/etc/magnum/aliases"), Path("/etc/aliases")]
    for path in (own.map { [$0] } ?? []) + shared where seen.insert(path).inserted {
      do throws(AliasFileProblem) {
        files.append(Aliases(try file.read(path), path: path.octets))
      } catch .missing {
        // The first one is the user's own, whether it is there or not.
        if path == own { files.append(Aliases()) }
      } catch {
        throw Explanation(error, in: path.octets)
      }
    }
    return files
  }

  /// Who is meant by local names that have no alias.
  ///
  /// One's own name is one's own account. The system's account gets what is sent to any name on the machine: at its
  /// domain the same name may well be a stranger.
  private var localNames: LocalNames {
    let address = sender?.address.map { Array($0.utf8) }
    let isSystem = configuration?.isSystem ?? false
    guard isSystem else { return LocalNames(loginName.map { [$0] } ?? [], mean: address) }
    // Daemons write to root@localhost, which no provider takes. A machine's name with a dot may be a domain of mail.
    var hosts = ["localhost", "localhost.localdomain"].map { Array($0.utf8) }
    if !Self.host.contains(ASCII.dot) { hosts.append(Self.host) }
    return LocalNames(nil, mean: address, at: hosts)
  }

  private var loginName: [UInt8]? { UserEntry(of: user)?.name }

  /// The user's name as the system knows it: GECOS up to the first comma.
  private var realName: [UInt8]? {
    let name = UserEntry(of: user)?.comment.prefix { $0 != ASCII.comma }
    return name.flatMap { $0.isEmpty ? nil : Array($0) }
  }

  /// The name of the machine, as far as it may stand in a Message-ID.
  private static var host: [UInt8] {
    let name = MachineName.current
    let isFine = name.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.dot || $0 == ASCII.minus
    }
    return isFine && !name.isEmpty ? name : Array("localhost".utf8)
  }
}

/// Reads files of aliases, and the lists that they include, where no stranger can have written them.
struct AliasFile {
  /// The longest one, in octets.
  private static let limit = 1 << 20

  /// The user who sends.
  let user: UInt32

  /// The content of a list that a file names by its path.
  func read(list: [UInt8]) throws(AliasFileProblem) -> [UInt8] {
    let path = Path(list)
    guard path.isAbsolute else { throw .relative }
    return try read(path)
  }

  /// The content of a file; a list may be left to a user, in a directory of that user's.
  func read(_ path: Path) throws(AliasFileProblem) -> [UInt8] {
    var rules = TrustedFile.Rules(limit: Self.limit)
    (rules.user, rules.trustsOwnerOfDirectory) = (user, true)
    do throws(TrustedFile.Failure) {
      return try TrustedFile.read(path, rules).octets
    } catch {
      switch error {
      case .system(let error) where error.isNotFound: throw .missing
      case .system(let error) where error.isNotAFile: throw .notAFile
      case .system(let error): throw .unreadable(error.reason)
      case .tooLong(let limit): throw .tooLong(limit: limit)
      case .untrusted(let failure):
        let words = failure.path == path ? "" : "\(failure.path.display): "
        throw .untrusted(words + failure.words, remedy: failure.remedy)
      }
    }
  }
}
