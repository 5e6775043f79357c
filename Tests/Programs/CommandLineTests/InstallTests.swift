import TestSupport
import Testing

/// What make installs, and that it takes all of it away again.
@Suite struct InstallTests {
  private let place: TempDirectory

  init() throws {
    place = try TempDirectory()
    // What `make build` makes; its content is of no account here.
    try place.write("one", to: "release/install/magnum")
    for program in ["magnum-sync", "magnum-send", "magnum-search", "magnum"] {
      for shell in ["bash", "zsh", "fish"] {
        try place.write("", to: "release/install/\(program).\(shell)")
      }
    }
  }

  /// The files that are there when make is done.
  private func make(_ words: String..., status: Int32 = 0) throws -> [String] {
    let root = Fixtures.project("")
    let options = ["release=\(place["release"])", "DESTDIR=\(place["root"])", "PREFIX=/usr"]
    let outcome = try Command("make", ["-C", root, "-s"] + options + words).run()
    try #require(outcome.code == status, "\(outcome)")
    let list = "cd \"$1\" && find . ! -type d | cut -c 2- | sort"
    return try Command.shell(list, [place["root"]]).split(separator: "\n").map { "\($0)" }
  }

  private func text(_ file: String) -> String { Files.text("\(place["root"])\(file)") ?? "" }

  @Test func whatIsInstalledIsRemovedAgain() throws {
    let files = try make("install")
    for file in [
      "bin/magnum", "bin/magnum-send", "share/man/man1/magnum-show.1",
      "share/man/man1/magnum-reply.1", "share/man/man1/magnum-undo.1",
      "share/bash-completion/completions/magnum-send", "share/zsh/site-functions/_magnum-send",
      "share/fish/vendor_completions.d/magnum-send.fish", "share/magnum/schemas/show.json",
      "lib/systemd/user/magnum-sync.timer", "share/doc/magnum/examples/config.toml",
      "share/doc/magnum/examples/notify",
    ] { #expect(files.contains("/usr/\(file)"), "\(file)") }
    #expect(text("/usr/lib/systemd/user/magnum-sync.service").contains("ExecStart=/usr/bin/magnum"))
    #expect(text("/usr/share/man/man1/magnum-forward.1") == ".so man1/magnum-compose.1\n")
    let notify = Command("test", ["-x", place["root/usr/share/doc/magnum/examples/notify"]])
    #expect(try notify.run().code == 0)
    #expect(try make("uninstall") == [])
    #expect(
      Files.names(in: "\(place["root"])/usr/share").map { String(decoding: $0, as: UTF8.self) }
        .allSatisfy { ["man", "zsh", "fish", "bash-completion"].contains($0) }
    )
  }

  /// Other names are the file itself.
  ///
  /// One that runs goes on with its own: the new file takes the name, not the place.
  @Test func oneFileIsInstalledUnderAllNames() throws {
    _ = try make("install")
    let names = ["magnum", "magnum-sync", "magnum-send", "magnum-search"]
    let files = names.map { "\(place["root"])/usr/bin/\($0)" }
    #expect(try Command.shell("stat -c %i \"$@\" | sort -u | wc -l", files) == "1\n")
    try Command.shell("ln \"$1\" \"$2\"", [files[1], place["running"]])
    try place.write("two", to: "release/install/magnum")
    let installed = try make("install")
    let found = installed.filter { $0.hasPrefix("/usr/bin/") }
    #expect(found == names.map { "/usr/bin/\($0)" }.sorted())
    #expect(files.allSatisfy { Files.text($0) == "two" })
    #expect(Files.text(place["running"]) == "one")
  }

  @Test func theNamesOfSendmailComeWithTheUnitsOfTheSystem() throws {
    let files = try make("install-links")
    for file in [
      "/usr/sbin/sendmail", "/usr/bin/mailq", "/usr/lib/systemd/system/magnum-queue-system.service",
      "/usr/lib/systemd/system/magnum-queue-system.timer", "/usr/share/man/man8/sendmail.8",
      "/usr/share/man/man1/mailq.1", "/usr/share/man/man1/newaliases.1",
    ] { #expect(files.contains(file), "\(file)") }
    let unit = text("/usr/lib/systemd/system/magnum-queue-system.service")
    #expect(unit.contains("ExecStart=/usr/bin/magnum queue flush --system"))
    #expect(text("/usr/share/man/man8/sendmail.8") == ".so man1/magnum-send.1\n")
    #expect(try make("uninstall-links") == [])
    #expect(!Files.exists("\(place["root"])/usr/lib/systemd"))
    #expect(!Files.exists("\(place["root"])/usr/share"))
  }

  /// Another mail system keeps its names, and nothing is laid beside it.
  @Test func anotherMailSystemIsLeftAlone() throws {
    try place.write("", to: "root/usr/sbin/sendmail")
    #expect(try make("install-links", status: 2) == ["/usr/sbin/sendmail"])
    let root = Fixtures.project("")
    let words = ["-C", root, "-s", "DESTDIR=\(place["root"])", "PREFIX=/usr", "install-links"]
    let outcome = try Command("make", words).run()
    #expect(outcome.errors.contains("/usr/sbin/sendmail belongs to another mail system"))
    #expect(outcome.errors.contains("dpkg-divert --local --rename --add /usr/sbin/sendmail"))
    #expect(try make("uninstall-links") == ["/usr/sbin/sendmail"])
  }

  /// What systemd thinks of the units: the lower, the less they may do.
  @Test(
    .enabled("systemd-analyze is not installed") { Self.hasAnalyzer },
    arguments: [
      ("magnum-sync.service", 64), ("magnum-watch.service", 64), ("magnum-queue.service", 64),
      ("system/magnum-queue-system.service", 33),
    ]
  )
  func unitsGiveUpWhatTheyDoNotNeed(unit: String, limit: Int) throws {
    let file = Fixtures.project("examples/systemd/\(unit)")
    let options = ["security", "--offline=yes", "--no-pager", "--threshold=\(limit)", file]
    let outcome = try Command("systemd-analyze", options).run()
    #expect(outcome.code == 0, "\(outcome.lines.last ?? "")")
  }

  private static let hasAnalyzer =
    (try? Command("systemd-analyze", ["security", "--help"]).run().output.contains("--offline"))
    ?? false
}
