/// A network for one command, in which this machine has an address of the public Internet, and a web server there; see ``WebScript``.
///
/// No other process sees it, and nothing in it reaches another network.
package struct PublicWeb {
  /// Whether there can be one: namespaces of users, networks and mounts, and ip(8).
  package static let canBe: Bool = {
    let script = "PATH=$PATH:/usr/sbin:/sbin; unshare -rnm sh -ec '\(network)'"
    return (try? Command.shell(script)) != nil
  }()

  private static let address = "8.8.4.4"
  private static let network = "ip link set lo up; ip address add \(address)/32 dev lo"

  /// The folder of its files.
  private let folder: String
  private let python: String

  /// One in which nothing runs yet.
  ///
  /// - Throws: `HarnessError` when its files cannot be made.
  package init() throws {
    folder = try PythonServer.folder("public")
    // What HOME is elsewhere may lead to another one.
    python = try Command.shell("python3 -c 'import sys; print(sys.executable, end=\"\")'")
    try ServerCertificate.make(in: folder, names: [WebScript.host])
    try Files.write("\(Self.address) \(WebScript.host)\n", to: "\(folder)/hosts")
  }

  /// Its folder goes.
  package func remove() { Files.removeTree(folder) }

  /// The same command in it.
  package func command(_ command: Command) -> Command {
    let script = """
      PATH=$PATH:/usr/sbin:/sbin; \(Self.network); mount --bind "$1/hosts" /etc/hosts
      mkfifo "$1/end"; exec 3<> "$1/end"
      "$2" "$3" "$1" 443 \(Self.address) <&3 2> "$1/errors" &
      server=$!; until [ -e "$1/ready" ] || ! kill -0 $server; do sleep 0.05; done
      shift 3; status=0; "$@" 3<&- || status=$?
      kill $server; exit $status
      """
    let words = [folder, python, WebScript.program, command.program] + command.arguments
    return Command(
      "unshare",
      ["-rnm", "sh", "-ec", script, "sh"] + words,
      environment: command.environment.merging(["SSL_CERT_FILE": "\(folder)/ca.pem"]) { $1 }
    )
  }

  /// What the server was asked; see ``WebScript/log``.
  package var log: [String] { WebScript.log(in: folder) }
}
