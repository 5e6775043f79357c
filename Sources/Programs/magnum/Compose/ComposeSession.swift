internal import CommandLine
internal import Configuration
internal import Correspondence
internal import Glibc
internal import MailModel
internal import Octets
internal import Outgoing
internal import Platform
internal import Terminal

/// A draft on the way to its end: edited, sent, kept or printed.
struct ComposeSession {
  let task: ComposeTask
  let sender: Sender
  let dispatch: Dispatch
  let protection: ComposeProtection

  var context: CommandContext { task.context }
  var console: Console { task.context.console }

  var configuration: Configuration { task.configuration }

  init(_ task: ComposeTask, _ sender: Sender) {
    self.task = task
    self.sender = sender
    dispatch = Dispatch(sender, task.configuration, user: geteuid())
    protection = ComposeProtection(sender, dispatch, task.context)
  }

  func end(_ start: ComposeStart, _ end: ComposeOptions.End) throws(Explanation) -> ExitStatus {
    var start = start
    start.draft = try dispatch.completed(start.draft)
    if task.options.attachesKey {
      start.draft.attachments.append(try protection.ownKey(start.draft))
      start.hasContent = true
    }
    switch end {
    case .editor:
      var editor = ComposeEditor(self)
      return try editor.editDraft(start)
    case .send, .hold:
      guard start.hasContent else {
        throw Explanation(
          .data,
          "there is nothing to send: no text, and nothing attached",
          hint: "give the text with --body"
        )
      }
      return try send(start, holding: end == .hold)
    case .draft:
      Interruption.shared.watchSignals()
      return try keep(start, .shared)
    case .print:
      let body = try body(start)
      let writing = try protection.writing(&start)
      try print(try dispatch.message(start.draft, for: .sending, writing, body))
    case .template:
      if let format = task.options.format, format != .text, let answered = start.answered {
        let json = ReplyObject(start.draft, answered).json
        console.print(octets: format == .sexp ? SexpText.of(json: json) : json)
      } else if context.globals.json {
        console.print(octets: ComposeLine.template(start.draft, sender.name).octets)
      } else {
        console.print(content: DraftText.template(start.draft))
      }
    }
    return .success
  }

  private func print(_ message: any OctetSource) throws(Explanation) {
    try explaining(.noInput) { () throws(SourceError) in try console.print(content: message) }
  }
}
