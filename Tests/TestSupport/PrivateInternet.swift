import Glibc

/// A small Internet as only some processes see it: names in DNS, web servers, and hosts of mail servers on this machine.
///
/// Internet/internet.py says what it has. It is a mount namespace for each process, with files of its own in /etc. It ends, and its folder goes, when the test
/// process ends.
package final class PrivateInternet: Sendable {
  /// Whether there can be one: root, and a mount namespace.
  package static let canBe: Bool = {
    let script = "[ \"$(id -u)\" = 0 ] && unshare -m true"
    return (try? Command.shell(script)) != nil
  }()

  /// The hosts of its web servers, for which it has a certificate; those of mail servers are on 127.0.0.1.
  private static let hosts = [
    "x.test", "autoconfig.x.test", "ua-auto-config.x.test", "autoconfig.thunderbird.net",
    "other.x.test",
  ]

  /// The folder of its files.
  package let folder: String

  private let port: UInt16

  /// Starts one, which has nothing yet.
  ///
  /// - Parameter trustFiles: certificates that are trusted besides its own.
  /// - Throws: `HarnessError` when it is not there within a minute.
  package init(trustFiles: [String] = []) throws {
    port = try Loopback.freePort()
    folder = try PythonServer.folder("internet")
    try ServerCertificate.make(in: folder, names: Self.hosts)
    let trusted = ["\(folder)/ca.pem"] + trustFiles
    try Command.shell("out=$1; shift; cat \"$@\" > \"$out\"", ["\(folder)/trusted.pem"] + trusted)
    // Any port may be taken by others, but all addresses of 127/8 are this machine's.
    let name = "127.77.\(port >> 8).\(port & 255)"
    try Files.write("nameserver \(name)\n", to: "\(folder)/resolv.conf")
    try Files.write(
      "127.0.0.1 localhost imap.x.test smtp.x.test\n",
      to: "\(folder)/hosts"
    )
    try set("{}")
    try PythonServer.start(Self.script("internet"), in: folder, ["\(port)", name])
  }

  /// Sets what it has, as a JSON object, and forgets what was asked.
  ///
  /// - Throws: `HarnessError` when it cannot be written.
  package func set(_ content: String) throws {
    try Files.write(content, to: "\(folder)/content.new")
    rename("\(folder)/content.new", "\(folder)/content")
    unlink("\(folder)/log")
  }

  /// What was asked, a line a request.
  package var requests: [String] {
    (Files.text("\(folder)/log") ?? "").split(separator: "\n").map { "\($0)" }
  }

  /// The same command in this Internet.
  package func command(_ command: Command) -> Command {
    let script = """
      mount --bind "$1/resolv.conf" /etc/resolv.conf; mount --bind "$1/hosts" /etc/hosts
      shift; exec "$@"
      """
    let words = ["-m", "sh", "-ec", script, "sh", folder, command.program] + command.arguments
    let proxy = "http://127.0.0.1:\(port)"
    let variables = [
      "https_proxy": proxy, "http_proxy": proxy, "SSL_CERT_FILE": "\(folder)/trusted.pem",
    ]
    var wrapped = Command(
      "unshare",
      words,
      environment: variables.merging(command.environment) { _, given in given }
    )
    wrapped.input = command.input
    return wrapped
  }

  /// The same command on a terminal at which answers are typed.
  ///
  /// - Parameters:
  ///   - command: a command by the path of its program.
  ///   - answers: what has to be shown before, and what is typed then.
  /// - Returns: a command whose output is what the terminal shows.
  package static func typing(_ command: Command, _ answers: [(after: String, String)]) -> Command {
    let pairs = answers.map { "[\"\($0.after)\", \"\($0.1)\"]" }
    let words = [script("type"), "[\(pairs.joined(separator: ", "))]", command.program]
    return Command("python3", words + command.arguments, environment: command.environment)
  }

  private static func script(_ name: String) -> String {
    "\("\(#filePath)".dropLast("PrivateInternet.swift".count))Internet/\(name).py"
  }
}
