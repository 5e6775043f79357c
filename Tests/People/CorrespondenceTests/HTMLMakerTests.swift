import Configuration
import Correspondence
import MIME
import MailModel
import Octets
import Platform
import TestSupport
import Testing

/// HTML that programs make of a text.
struct HTMLMakerTests {
  private static let pictures = MessageID([UInt8](ascii: "<a@i>")).map {
    [OutgoingHTML.Picture(name: [UInt8](ascii: "a.png"), id: $0)]
  }

  private static func make(
    _ wish: HTMLWish,
    of text: [UInt8] = [UInt8](ascii: "x\n"),
    isUnconfined: Bool = false
  ) throws(Explanation) -> MessageBody {
    var settings = ComposingSettings()
    settings.runsHTMLUnconfined = isUnconfined
    return try HTMLMaker(settings, Interruption()).body(wish, of: text, pictures ?? [])
  }

  private static func html(_ body: MessageBody) -> String? {
    guard case .page(let html, _) = body else { return nil }
    let text = String(decoding: html.octets, as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  @Test(arguments: try Fixtures.load("Fixtures/html-commands.txt"))
  func commands(_ fixture: Fixture) throws {
    let text = fixture["text"].map { Array("\($0)\n".utf8) } ?? []
    do throws(Explanation) {
      let body = try Self.make(.command(.shell(fixture.body)), of: text)
      #expect(Self.html(body) == fixture["html"])
    } catch {
      let expected = fixture.lines("status")
      #expect("\(error.status.rawValue)" == expected.first ?? "none", "\(error)")
      #expect(error.what.contains(expected.last ?? "none"), "\(error)")
    }
  }

  /// A confined command sees no file of the user.
  @Test(arguments: [false, true])
  func filesAreSeenByUnconfinedCommandsAlone(isUnconfined: Bool) throws {
    let file = Fixtures.path("Fixtures/html-commands.txt")
    let line = "test -e '\(file)' && echo there || echo none"
    let body = try Self.make(.command(.shell(line)), isUnconfined: isUnconfined)
    #expect(Self.html(body) == (isUnconfined ? "there" : "none"))
  }

  @Test func aCommandWithoutAShellIsFound() throws {
    let body = try Self.make(.command(.arguments(["sed", "s/x/<b>&<\\/b>/"])))
    #expect(Self.html(body) == "<b>x</b>")
    #expect(throws: Explanation.self) {
      _ = try Self.make(.command(.arguments(["no-such-program-as-this"])))
    }
  }

  /// What takes too long may do so only now: nothing is sent, and it can be tried again.
  @Test func aCommandThatDoesNotEndIsStopped() {
    let maker = HTMLMaker(ComposingSettings(), Interruption(), seconds: 0.3)
    do throws(Explanation) {
      _ = try maker.body(.command(.shell("echo '<p>'; sleep 600")), of: [], [])
      Issue.record("it ended")
    } catch {
      #expect(error.status == .tryAgain && error.what.contains("did not end in time"), "\(error)")
    }
  }

  @Test func readyHTMLIsChecked() throws {
    let given = try Self.make(.ready(Array("<img src=\"a.png\">".utf8)))
    #expect(Self.html(given) == "<img src=\"cid:a@i\">")
    #expect(throws: Explanation.self) { _ = try Self.make(.ready(Array("<script>".utf8))) }
    #expect(Self.html(try Self.make(.textAlone)) == nil)
  }

  /// An option counts more than what a program gives, and that more than the account; none of them for what an agent wrote.
  @Test func whatMakesIt() {
    let account = ChildProcess.Command.arguments(["cmark"])
    let decide = { (option: HTMLWish?, given: [UInt8]?, isOfAgent: Bool) in
      HTMLWish.decide(option: option, given: given, account: account, isOfAgent: isOfAgent)
    }
    #expect(decide(nil, nil, false) == .command(account))
    #expect(decide(.textAlone, [1], false) == .textAlone)
    #expect(decide(.markdown, [1], false) == .markdown)
    #expect(decide(nil, [1], false) == .ready([1]))
    #expect(decide(.markdown, [1], true) == .textAlone)
    let none = HTMLWish.decide(option: nil, given: nil, account: nil, isOfAgent: false)
    #expect(none == .textAlone)
  }
}
