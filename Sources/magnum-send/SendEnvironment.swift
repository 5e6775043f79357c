internal import Configuration
internal import Glibc
internal import MIME
internal import Octets
internal import Platform
internal import Sendmail
internal import Spool
internal import Transport

/// Who the caller is, and what is known about the machine.
enum SendEnvironment {
  static let user = geteuid()

  /// Where the configuration is looked for: a home that is not the caller's own counts for nothing.
  static var configuration: ConfigurationEnvironment {
    var environment = ConfigurationEnvironment.current
    let named = Environment.octets("XDG_CONFIG_HOME").flatMap(Path.init(validating:))
    if let home = SpoolPlace.home(of: user) {
      environment.home = home
      if named?.isAbsolute != true { environment.configHome = home.appending(".config") }
    } else if named?.isAbsolute != true {
      environment.configHome = Path("/nonexistent")
    }
    return environment
  }

  static func identity(of sender: Sender) -> Identity {
    let now = Clock.now()
    return Identity(
      address: sender.address.map { Array($0.utf8) },
      fullName: sender.fullName.map { Array($0.utf8) } ?? realName,
      host: host,
      date: MessageDate(seconds: now, offset: zone(at: now)),
      token: Array(Timestamp.digits(now).utf8) + [ASCII.dot] + Hex.encode(Hashes.random(12))
    )
  }

  /// Whether a copy of what is sent with an account is put into its mailbox for that.
  ///
  /// Users without a home share the system's accounts, and have no mailboxes of their own.
  static func keepsCopy(_ sender: Sender, _ configuration: Configuration) -> Bool {
    guard sender.copy != .never, SpoolPlace.home(of: user) != nil else { return false }
    return configuration.account(named: sender.name)?.server != nil
  }

  /// The user's name as the system knows it: GECOS up to the first comma, `&` for the log-in name.
  private static var realName: [UInt8]? {
    guard let entry = getpwuid(user), let gecos = entry.pointee.pw_gecos else { return nil }
    let text = String(cString: gecos).split(separator: ",").first.map(String.init) ?? ""
    return text.isEmpty ? nil : Array(text.utf8)
  }

  /// The name of the machine, as far as it may stand in a Message-ID.
  private static var host: [UInt8] {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return Array("localhost".utf8) }
    let name = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let isFine = name.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.dot || $0 == ASCII.minus
    }
    return isFine && !name.isEmpty ? name : Array("localhost".utf8)
  }

  /// Minutes that the local clock is ahead of UTC.
  private static func zone(at seconds: Int64) -> Int {
    var moment = time_t(seconds)
    var local = tm()
    localtime_r(&moment, &local)
    return local.tm_gmtoff / 60
  }

  private enum Timestamp {
    static func digits(_ seconds: Int64) -> String { String(seconds, radix: 36) }
  }
}
