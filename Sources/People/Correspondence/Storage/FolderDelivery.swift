package import Configuration
internal import Glibc
package import MailModel
internal import Maildir
package import Octets
package import Platform

/// Puts messages into a folder of an account as they are, and has its index find them.
package struct FolderDelivery: Sendable {
  package let directory: Path
  private let account: Account
  private let flags: SystemFlags
  /// How the names of its files end.
  private let suffix: [UInt8]

  /// Deliveries to a folder, which is made where it is not there; messages get these flags.
  package init(
    to directory: Path,
    of account: Account,
    flags: SystemFlags,
    suffix: StaticString
  ) {
    (self.directory, self.account, self.flags) = (directory, account, flags)
    self.suffix = [UInt8](ascii: suffix)
  }

  /// A message that is written, and not yet to be seen.
  package struct Written: Sendable {
    fileprivate let message: DeliveredMessage

    /// What its file can be found by.
    package var name: [UInt8] { message.temporaryName }
  }

  /// A message that is in its place.
  package struct Placed: Sendable {
    package let file: Path
    /// Why searches do not find it yet; nil where they do.
    package let unindexed: Explanation?
  }

  /// Writes a message, so that it can be placed.
  ///
  /// - Throws: what keeps it from being written, or read.
  package func write(
    _ message: any OctetSource,
    _ interruption: Interruption? = nil
  ) throws(Explanation) -> Written {
    do {
      return Written(message: try deliver(message, interruption))
    } catch let error as SourceError {
      throw Explanation(reading: error)
    } catch {
      throw failure(error)
    }
  }

  /// Places a message that is written, and has the index find it; durable when it returns.
  ///
  /// - Returns: its file, and whether searches find it.
  /// - Throws: what keeps it from being placed; then it is not there.
  package func place(_ written: Written) throws(Explanation) -> Placed {
    do {
      return try commit(written.message)
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: any Error) -> Explanation {
    Explanation(.cannotCreate, place: account.name, "\(error)")
  }

  private func deliver(
    _ message: any OctetSource,
    _ interruption: Interruption?
  ) throws -> DeliveredMessage {
    for subdirectory in Subdirectory.allCases {
      try FileSystem.makeDirectories(subdirectory.path(in: directory))
    }
    try Self.removeLeftovers(in: directory, suffix, before: Clock.now() - Self.leftoverAge)
    var delivery = MaildirDelivery(to: directory, temporaryName: Self.base(suffix))
    var pieces = message.pieces
    while let piece = try pieces.next() {
      // A delivery that is dropped leaves no file.
      try interruption?.check("write", directory)
      try delivery.write(piece)
    }
    return try delivery.finish()
  }

  private func commit(_ delivered: DeliveredMessage) throws -> Placed {
    let name = FileName(base: delivered.temporaryName, flags: flags)
    let placement = Placement(message: delivered, subdirectory: .cur, name: name)
    switch MaildirCommit.commit([placement]).first {
    case .placed, .adopted: break
    case .failed(let error): throw error
    case .collision, nil:
      throw SystemError(operation: "rename", path: delivered.temporaryPath, code: EEXIST)
    }
    return Placed(
      file: Subdirectory.cur.path(in: directory).appending(name.octets),
      unindexed: account.isIndexed ? index(name) : nil
    )
  }

  private func index(_ name: FileName) -> Explanation? {
    let folder = [UInt8](directory.octets.dropFirst(account.maildir.octets.count + 1))
    let file = ScannedFile(name: name, subdirectory: .cur)
    return IndexNote.applyChanges([.added(folder: folder, file)], of: account)
  }

  /// No message is written for longer than that, in seconds: the 36 hours of maildir(5).
  private static let leftoverAge: Int64 = 36 * 3600

  /// Removes what is left in tmp of messages that were being written when a program was killed.
  ///
  /// - Throws: the error of reading the directory.
  package static func removeLeftovers(
    in directory: Path,
    _ suffix: [UInt8],
    before moment: Int64
  ) throws(SystemError) {
    let temporaries = Subdirectory.tmp.path(in: directory)
    var files: [Path] = []
    try FileSystem.entries(of: temporaries) { name, kind in
      guard kind == .regular, name.suffix(suffix.count).elementsEqual(suffix) else {
        return
      }
      files.append(temporaries.appending([UInt8](name)))
    }
    for file in files {
      guard let status = try FileSystem.status(file, followingLinks: false),
        status.fingerprint.modified / 1_000_000_000 < moment
      else { continue }
      try? FileSystem.remove(file)
    }
  }

  /// A name that no other file has; not one of Magnum's notices, which no sync uploads.
  package static func base(_ suffix: [UInt8]) -> [UInt8] {
    let nanoseconds = Clock.nowNanoseconds()
    let seconds = nanoseconds / 1_000_000_000
    let micro = nanoseconds / 1000 % 1_000_000
    let random = String(UInt64.random(in: 0...(.max)), radix: 36)
    return [UInt8]("\(seconds).M\(micro)P\(getpid())R\(random)".utf8) + suffix
  }
}
