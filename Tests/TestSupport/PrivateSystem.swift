import Glibc

/// The machine as only some processes see it, with magnum-send as its sendmail: files of its own in /etc, /run and
/// /var/spool, and everything else as it is.
///
/// Nothing of it is seen by others, and it is gone when its processes are: it is a mount namespace.
package final class PrivateSystem: Sendable {
  /// Whether there can be one: root, a mount namespace, a file for sendmail to stand in for, and programs that a user
  /// without rights can run.
  package static let canBe: Bool = {
    let script = """
      [ "$(id -u)" = 0 ] && [ -e /usr/sbin/sendmail ]
      unshare -m sh -ec 'mount -t tmpfs tmpfs /run && mount --bind "$1" /usr/sbin/sendmail
        \(PrivateSystem.asUserWithoutHome) /usr/sbin/sendmail -bp' sh "$1"
      """
    return (try? Command.shell(script, ["\(ProgramUnderTest.products)/magnum-send"])) != nil
  }()

  /// The words before a command that make it run as www-data, whose home belongs to another user.
  package static let asUserWithoutHome = asUser(33)

  /// The words before a command that make it run as the user of that number.
  package static func asUser(_ number: Int) -> String {
    "env -i PATH=/usr/bin:/bin SWIFT_BACKTRACE=enable=no setpriv --reuid=\(number) --regid=\(number) --clear-groups"
  }

  private let folder: TempDirectory

  private var holder: String { Files.text(folder["holder"]) ?? "" }

  /// Makes one.
  ///
  /// - Parameters:
  ///   - configuration: What /etc/magnum/config.toml says.
  ///   - aliases: What /etc/magnum/aliases says.
  /// - Throws: `HarnessError` when it cannot be made.
  package init(configuration: String, aliases: String) throws {
    folder = try TempDirectory("system")
    try folder.write(configuration, to: "config.toml")
    try folder.write(aliases, to: "aliases")
    let script = """
      mkdir "$1/own"; mount -t tmpfs tmpfs "$1/own"; cp -a /etc "$1/own/"; mount --bind "$1/own/etc" /etc
      mkdir -p /etc/magnum /etc/pam.d; cp "$1/config.toml" "$1/aliases" /etc/magnum/
      rm -rf /etc/crontab /etc/cron.* /etc/anacrontab
      for group in auth account session; do echo "$group required pam_permit.so"; done > /etc/pam.d/cron
      mount -t tmpfs -o mode=755 tmpfs /run
      mount -t tmpfs -o mode=755 tmpfs /var/spool; mkdir -m 1777 /var/spool/magnum; mkdir -p /var/spool/cron/crontabs
      mount --bind "$2" /usr/sbin/sendmail
      printf %s $$ > "$1/holder.new"; mv "$1/holder.new" "$1/holder"
      read -r line <&3 || true
      """
    let arguments = [folder.path, "\(ProgramUnderTest.products)/magnum-send"]
    let words = [
      "-ec", "exec 3<&0 2> \"$1/errors\"; exec unshare -m sh -ec '\(script)' sh \"$1\" \"$2\"",
      "sh",
    ]
    try Command("/bin/sh", words + arguments).startGuarded()
    guard Stopwatch.wait(upTo: 60, until: { holder != "" }) else {
      throw HarnessError("no private system: \(Files.text(folder["errors"]) ?? "")")
    }
  }

  /// A home for root, without what lies in that of the machine.
  private static let home = """
    export HOME=/run/root; mkdir -p "$HOME"; unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME XDG_CACHE_HOME

    """

  /// A command of its root.
  package func command(_ script: String, _ arguments: [String] = []) -> Command {
    Command("nsenter", ["-t", holder, "-m", "sh", "-ec", Self.home + script, "sh"] + arguments)
  }

  /// Runs a script as its root.
  ///
  /// - Throws: `HarnessError` when it cannot be started.
  package func run(_ script: String, _ arguments: String...) throws -> Outcome {
    try command(script, arguments).run()
  }

  /// The program cron; nil where there is none.
  package static let cron: String? = {
    let places = ["\(UnpackedPackage.folder("cron"))/usr/sbin/cron", "/usr/sbin/cron"]
    return places.first { (path: String) in access(path, X_OK) == 0 }
  }()
}
