import TestSupport
import Testing

/// Attachments as an agent reads them: as text, in pages, by confined filters.
@Suite struct AgentAttachmentTests {
  private static let agent = AgentStage.helper.replacing("\"draft\"]", with: "\"attachments\"]")

  private static func stage(_ filter: String = "") throws -> AgentStage {
    let stage = try AgentStage()
    try stage.configure(agent + filter)
    try stage.deliver(
      "parts",
      ["MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=B"],
      [
        "--B", "Content-Type: text/plain", "", "body", "--B",
        "Content-Type: text/csv; name=\"../../l\u{1B}ist.csv\"", "", "one;two\u{200B}", "--B",
        "Content-Type: text/html; name=page.html", "",
        #"<p>seen <a href="https://a.example/">here</a></p><div style="display:none">HIDDEN</div>"#,
        "--B", "Content-Type: application/json; name=x.json", "", #"{"a":1}"#, "--B",
        "Content-Type: application/x-fruit", "", "apple", "--B", "Content-Type: message/rfc822", "",
        "Subject: inner", "", "inside", "--B", "Content-Type: image/png; name=p.png", "", "PICTURE",
        "--B", "Content-Type: text/plain; name=long.txt", "",
        (0..<3000).map { "line \($0)" }.joined(separator: "\n"), "--B--",
      ].joined(separator: "\n")
    )
    try stage.deliver("outside", folder: "Private")
    try stage.index()
    return stage
  }

  private static func arguments(_ part: String, _ more: String = "") -> String {
    #"{"id":"parts@y.test","part":"\#(part)"\#(more)}"#
  }

  @Test func textOfPartsIsGivenInPages() throws {
    let stage = try Self.stage()
    let client = try stage.client()
    let schema = try JSONSchema(
      try #require(Files.text(Fixtures.project("man/schemas/mcp-attachment.json")))
    )
    for (part, text) in [
      ("1", "body"), ("2", "one;two"), ("3", "seen here"), ("4", #"{"a":1}"#),
    ] {
      let result = try client.call("attachment", Self.arguments(part))
      #expect(schema.mistakes(in: result) == [])
      let found = result["mail"]?["text"]?.text ?? ""
      #expect(found.contains(text), "\(part): \(found)")
      for word in ["HIDDEN", "https", "\u{200B}", "\u{1B}"] {
        #expect(!result.texts.contains { $0.contains(word) }, "\(part)")
      }
    }
    let list = try client.call("attachment", Self.arguments("2"))
    #expect(list["removed"]?.integer == 1)
    #expect(list["mail"]?["name"]?.text?.contains("/") == false)
    var (all, page) = ("", 1)
    while true {
      let result = try client.call("attachment", Self.arguments("8", #","page":\#(page)"#))
      all += result["mail"]?["text"]?.text ?? ""
      page += 1
      if page > result["pages"]?.integer ?? 0 { break }
    }
    #expect(page > 2)
    #expect(all.split(separator: "\n").count == 3000)
    // No text, no octets; nothing that is not there, or not to be seen.
    for (arguments, code) in [
      (Self.arguments("7"), "refused"), (Self.arguments("5"), "refused"),
      (Self.arguments("6"), "not-found"), (Self.arguments("9"), "not-found"),
      (Self.arguments("x"), "not-found"), (Self.arguments("8", #","page":64"#), "not-found"),
      (#"{"id":"outside@y.test","part":"1"}"#, "not-found"),
    ] {
      #expect(try client.failure("attachment", arguments) == code, "\(arguments)")
    }
  }

  @Test func filtersAreConfined() throws {
    let filter = #"["sh", "-c", "sed s/apple/apricot/; cat $HOME/secret /proc/1/environ; exit 0"]"#
    // Whatever the configuration says of the filters for the index.
    let stage = try Self.stage("[index-filter]\n\"application/x-fruit\" = \(filter)\n")
    let text = try #require(Files.text(stage.magnum.home[".config/magnum/config.toml"]))
    try stage.magnum.configure("index-filter-unconfined = true\n" + text)
    try stage.magnum.home.write("SECRET", to: "secret")
    let result = try stage.client().call("attachment", Self.arguments("5"))
    let found = result["mail"]?["text"]?.text ?? ""
    #expect(found.contains("apricot"))
    #expect(!found.contains("SECRET") && !found.contains("HOME="))
  }

  @Test("what is only on the server is not here")
  func partialMessagesAreNotFetched() throws {
    let stage = try Self.stage()
    try SealedMark.writeKey(root: stage.mail)
    let mark = try SealedMark.field("m2@x.org").split(separator: "\n").map { String($0) }
    try stage.deliver(
      "left",
      mark + [
        "Message-ID: <m2@x.org>", "MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=B",
      ],
      [
        "--B", "Content-Type: text/plain", "", "body", "--B",
        "Content-Type: message/external-body; access-type=\"x-magnum\"; section=\"2\"; size=\"1000\"",
        "", "Content-Type: text/plain; name=a.txt", "", "", "--B--",
      ].joined(separator: "\n")
    )
    try stage.index()
    let client = try stage.client()
    let call = #"{"id":"m2@x.org","part":"2"}"#
    #expect(try client.failure("attachment", call) == "not-found")
    // Marked, moved or not: it is no less partial.
    try stage.configure(Self.agent.replacing("\"attachments\"]", with: "\"archive\"]"))
    try stage.makeFolder("Archive")
    let result = try client.call("act", #"{"do":"archive","ids":["m2@x.org"]}"#)
    #expect(result["done"]?.integer == 1)
    #expect(stage.files.contains("Archive/left:2,S"))
  }
}
