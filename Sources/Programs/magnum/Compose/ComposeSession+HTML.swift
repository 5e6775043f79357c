internal import CommandLine
internal import Configuration
internal import Correspondence
internal import MIME
internal import MailModel
internal import Octets
internal import Platform
internal import Terminal

// The HTML of a message, made once: when the message is about to be queued or printed.
extension ComposeSession {
  /// What the message has in place of the text of its draft.
  ///
  /// - Throws: why its HTML cannot be made; nothing is sent then.
  func body(_ start: ComposeStart) throws(Explanation) -> MessageBody {
    if let given = start.given { return given }
    let settings = sender.composing
    let wish = HTMLWish.decide(
      option: task.options.html.wish,
      given: start.html,
      account: settings.htmlCommand,
      isOfAgent: start.draft.agent != nil
    )
    guard wish != .textAlone || task.options.inline.isEmpty else {
      throw Explanation(
        .usage,
        "--inline attaches what HTML shows, and there is no HTML",
        hint: "--markdown or --html-with makes it; --attach attaches a file"
      )
    }
    let body = try HTMLMaker(settings).body(
      wish,
      of: start.draft.text,
      start.draft.attachments.pictures
    )
    reportUnshown(in: start.draft, body)
    return body
  }

  /// The same for a message that is to be queued: where it cannot be made, what was typed is kept as any draft that was left.
  func body(keeping start: ComposeStart) throws(Explanation) -> MessageBody {
    do throws(Explanation) {
      return try body(start)
    } catch {
      guard error.status != .usage, !start.isGiven, start.composition == nil,
        start.facts.draft == nil, let name = keepLeft(start)
      else { throw error }
      console.writeNote("the draft is kept: magnum resume \(name)")
      throw error
    }
  }

  /// Keeps a draft among those that were left; its name, or nil where it could not be kept.
  private func keepLeft(_ start: ComposeStart) -> String? {
    guard let composition = try? Composition.make() else { return nil }
    do throws(Explanation) {
      try save(start.draft, start.facts, in: composition)
    } catch {
      composition.discard()
      return nil
    }
    return Printable.text(composition.directory.lastComponent)
  }

  private func reportUnshown(in draft: Draft, _ body: MessageBody) {
    guard case .page(let html, _) = body, !task.options.inline.isEmpty else { return }
    for picture in draft.attachments.pictures where !html.shown.contains(picture.id) {
      let name = Printable.text(picture.name, limit: 80)
      console.writeNote("the HTML does not name \(name), which is attached")
    }
  }
}

extension ComposeTask {
  /// Refuses what would lose HTML, or text beside it.
  func checkHTML(_ start: ComposeStart, _ end: ComposeOptions.End) throws(Explanation) {
    guard start.given != nil || start.html != nil else { return }
    switch end {
    case .send, .hold, .print: break
    case .draft, .editor, .template:
      throw Explanation(
        .data,
        "the message has a text in HTML, which a draft would lose",
        hint: "--send or --hold queues it as it is; magnum-send sends it, too"
      )
    }
    guard start.given != nil else { return }
    let addsText = options.body != nil || options.html.wish != nil || !options.inline.isEmpty
    guard !addsText else {
      throw Explanation(
        .usage,
        "the message has a text in HTML, beside which no other is made",
        hint: "leave out --body, --inline and what makes HTML"
      )
    }
  }
}
