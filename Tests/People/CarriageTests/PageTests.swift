import Glibc
import TestSupport
import Testing

@Suite("A page in HTML") struct PageTests {
  private static let hostile = Result { try Fixtures.load("Fixtures/pages.txt") }

  /// All tags that a page has, but for pictures.
  private static let tags: Set<String> = [
    "!DOCTYPE html", "html", "head", "meta charset=\"utf-8\"",
    "meta http-equiv=\"Content-Security-Policy\" "
      + "content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\"",
    "meta name=\"referrer\" content=\"no-referrer\"",
    "meta name=\"viewport\" content=\"width=device-width\"", "title", "/title", "style", "/style",
    "/head", "body", "article", "pre", "/pre", "figure", "p", "/p", "figcaption", "/figcaption",
    "/figure", "/article", "/body", "/html",
  ]

  private static let entities = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"]

  /// What of a page is neither one of its own tags nor escaped text.
  private static func foreign(_ page: String) -> [String] {
    var found: [String] = []
    for piece in page.utf8.split(separator: UInt8(ascii: "<")) {
      let halves = piece.split(
        separator: UInt8(ascii: ">"),
        maxSplits: 1,
        omittingEmptySubsequences: false
      ).map { String(decoding: $0, as: UTF8.self) }
      guard halves.count == 2 else {
        found.append(String(decoding: piece, as: UTF8.self))
        continue
      }
      let (tag, text) = (halves[0], halves[1])
      if !tags.contains(tag), !isPicture(tag) { found.append(tag) }
      // The style sheet of the page has neither quotes nor signs.
      var rest = text
      for entity in entities { rest = rest.replacing(entity, with: "") }
      if rest.utf8.contains(where: { "&>\"'".utf8.contains($0) }) { found.append(text) }
      if rest.utf8.contains(where: { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F }) { found.append(text) }
    }
    return found
  }

  private static func isPicture(_ tag: String) -> Bool {
    let start = "img alt=\"\" src=\"data:image/"
    guard tag.hasPrefix(start), tag.hasSuffix("\"") else { return false }
    let parts = tag.dropFirst(start.count).dropLast().split(separator: ";base64,")
    return parts.count == 2 && ["png", "jpeg", "gif", "webp"].contains(parts[0])
      && parts[1].utf8.allSatisfy { isalnum(Int32($0)) != 0 || "+/=".utf8.contains($0) }
  }

  @Test("nothing of a sender is markup", arguments: try hostile.get())
  func page(fixture: Fixture) throws {
    let stage = try CarriageStage()
    try stage.home.write(try fixture.octets(), to: "Mail/INBOX/cur/1:2,S")
    for more in [[], ["--html", "--headers"]] {
      let arguments = ["show", "--format", "html", stage.home["Mail/INBOX/cur/1:2,S"]] + more
      let run = try stage.run(arguments)
      try #require(run.code == 0, "\(run)")
      #expect(Self.foreign(run.output) == [])
      #expect(!run.output.contains("tracker.example"))
      if let text = fixture["shows"] { #expect(run.output.contains(text), "\(run.output)") }
    }
  }

  @Test("a thread is one page; a file is not replaced") func thread() throws {
    let stage = try CarriageStage("index = true")
    for number in 1...3 {
      let reply = number > 1 ? "References: <m1@x.test>\n" : ""
      let message = CarriageStage.message(number, reply).replacing("13:00", with: "13:0\(number)")
      try stage.home.write(message, to: "Mail/INBOX/cur/\(number):2,S")
    }
    for sub in ["new", "tmp"] { try Files.makeDirectories("\(stage.mail)/INBOX/\(sub)") }
    try #require(try stage.run(["index"]).code == 0)
    let pages = try ["a", "b"].enumerated().map { number, name in
      let command =
        number == 0 ? ["export", "--thread", "id:m2@x.test"] : ["show", "thread:{id:m2@x.test}"]
      let arguments = command + ["--format", "html", "--output", stage.home["\(name).html"]]
      let run = try stage.run(arguments)
      #expect(run.code == 0, "\(run)")
      let again = try stage.run(arguments)
      #expect(again.code == 73 && again.errors.contains("already there"), "\(again)")
      return try #require(Files.text(stage.home["\(name).html"]))
    }
    #expect(pages[0] == pages[1])
    #expect(pages[0].split(separator: "<article>").count == 4)
    #expect(pages[0].contains("<title>number 1</title>"))
    #expect(Self.foreign(pages[0]) == [])
    let mode = try Command.shell("stat -c %a \(stage.home["a.html"])")
    #expect(mode == "600\n")
    let text = try stage.run(["show", "--output", stage.home["c"], "id:m1@x.test"])
    #expect(text.code == 64 && text.errors.contains("--output is for"), "\(text)")
  }

  /// A listener takes the place of every server: chromium asks it for whatever a page has it fetch.
  @Test("a browser fetches nothing", .enabled(if: Files.exists("/usr/bin/chromium")))
  func browser() throws {
    let stage = try CarriageStage()
    var names: [String] = []
    for (number, fixture) in try Self.hostile.get().enumerated() {
      names.append(try stage.home.write(try fixture.octets(), to: "\(number).eml"))
    }
    let page = try stage.run(
      ["show", "--format", "html", "--output", stage.home["page.html"]] + names
    )
    try #require(page.code == 0, "\(page)")
    try stage.home.write("<p>text<img src=\"http://x.example/a.png\">", to: "other.html")
    let python = Fixtures.path("Fixtures/browser.py")
    let counts = try Command.shell(
      "cd \(stage.home.path) && HOME=$PWD python3 \(python) other.html page.html"
    )
    let lines = counts.split(separator: "\n").map { "\($0)" }
    try #require(lines.count == 2, "\(counts)")
    #expect(lines[0] != "0", "the listener sees what a page asks for")
    #expect(lines[1] == "0")
  }

  @Test("pictures have limits", arguments: [(1, 11 << 20, 0), (7, 9 << 20, 5)])
  func limits(count: Int, size: Int, shown: Int) throws {
    let stage = try CarriageStage()
    let header = "Subject: large\nContent-Type: multipart/related; boundary=b\n\n--b\n"
    let names = (0..<count).map { "<img src=\"cid:\($0)@x\">" }.joined()
    let gif = "GIF89a" + String(repeating: "a", count: size)
    let pictures = (0..<count).map {
      "\n--b\nContent-Type: image/gif\nContent-ID: <\($0)@x>\n\n\(gif)"
    }
    try stage.home.write(
      header + "Content-Type: text/html\n\n" + names + pictures.joined() + "\n--b--\n",
      to: "large.eml"
    )
    let run = try stage.run(["show", "--format", "html", stage.home["large.eml"]])
    #expect(run.code == 0)
    #expect(run.output.split(separator: "<img ").count == shown + 1)
    #expect(run.output.split(separator: "<figure>").count == count + 1)
  }
}

@Suite("A message file that is missing") struct MissingFileTests {
  @Test(arguments: ["./missing.eml", "missing.eml", "/nowhere/1", "../missing", "~/missing"])
  func isNoQuery(name: String) throws {
    let stage = try CarriageStage()
    let run = try stage.run(["export", "--output", stage.home["out"], name])
    #expect(run.code == 66 && run.errors.contains("there is no such file"), "\(run)")
    let shown = try stage.run(["show", name])
    #expect(shown.code == 66 && shown.errors.contains("there is no such file"), "\(shown)")
    #expect(!Files.exists(stage.home["out"]))
  }

  @Test(arguments: ["subject:/re", "a.emlx", "attachment:x.eml", "x.eml tag:a"])
  func isAQuery(text: String) throws {
    let stage = try CarriageStage()
    let run = try stage.run(["export", "--output", stage.home["out"], text])
    #expect(!run.errors.contains("there is no such file"), "\(run)")
  }
}
