import TestSupport

/// A home with an account without a server, an archive of old mail, and the programs.
struct CarriageStage {
  let magnum: ProgramUnderTest
  var home: TempDirectory { magnum.home }
  var mail: String { home["Mail"] }

  /// With an account `work`; `more` follows in its section.
  init(_ more: String = "index = false") throws {
    magnum = try ProgramUnderTest("magnum")
    try magnum.configure(
      """
      [account.work]
      address = "me@x.test"
      maildir = "~/Mail"
      \(more)

      """
    )
  }

  func run(_ arguments: [String], _ variables: [String: String] = [:]) throws -> Outcome {
    try magnum.command(arguments, variables).run()
  }

  /// Imports sources, with more options if there are any.
  func importMail(_ arguments: String..., variables: [String: String] = [:]) throws -> Outcome {
    try run(["import"] + arguments, variables)
  }

  /// A message of that number, without line end behind its header.
  static func message(_ number: Int, _ more: String = "") -> String {
    """
    From: Writer \(number) <w\(number)@x.test>
    To: me@x.test
    Subject: number \(number)
    Message-ID: <m\(number)@x.test>
    Date: Thu, 9 Jul 2026 13:00:00 +0000
    \(more)
    text \(number)

    """
  }

  /// An mbox of these messages.
  static func mbox(_ messages: [String]) -> String {
    messages.map { "From w@x.test Thu Jul  9 13:00:00 2026\n\($0)\n" }.joined()
  }

  /// The texts of all messages in a Maildir, sorted.
  static func texts(_ maildir: String) -> [String] {
    files(maildir).compactMap { Files.text($0) }.sorted()
  }

  /// The paths of all messages in a Maildir.
  static func files(_ maildir: String) -> [String] {
    ["new", "cur"].flatMap { sub in
      Files.names(in: "\(maildir)/\(sub)").map {
        "\(maildir)/\(sub)/\(String(decoding: $0, as: UTF8.self))"
      }
    }
  }

  /// The flags of all messages in a Maildir by their subjects' numbers.
  static func flags(_ maildir: String) -> [String: String] {
    var found: [String: String] = [:]
    for file in files(maildir) {
      let text = Files.text(file) ?? ""
      let number = text.split(separator: "\n").first { $0.hasPrefix("Subject: number ") }?
        .dropFirst("Subject: number ".count)
      let place = file.contains("/new/") ? "new " : ""
      found[String(number ?? "?")] =
        place + (file.split(separator: ":2,").dropFirst().last.map { "\($0)" } ?? "")
    }
    return found
  }
}
