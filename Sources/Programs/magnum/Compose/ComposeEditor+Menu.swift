internal import CommandLine
internal import Correspondence
internal import MailModel
internal import MIME
internal import Octets
internal import Outgoing
internal import Platform
internal import Protection
internal import Sendmail
internal import Terminal

// What a person at the menu sees, and is asked.
extension ComposeEditor {
  /// What a person wants next.
  enum Wish {
    case send, edit, attach, view, draft, discard, end, help
  }

  func show(_ start: ComposeStart) {
    let draft = start.draft
    var lines: [String] = []
    let lists: [(String, [Address])] = [
      ("From", draft.from.map { [.mailbox($0)] } ?? []), ("To", draft.to), ("Cc", draft.cc),
      ("Bcc", draft.bcc),
    ]
    for (name, list) in lists where !list.isEmpty {
      lines.append("\(name): \(Printable.text(AddressText.text(list)))")
    }
    lines.append("Subject: \(Printable.text(draft.subject))")
    for attachment in draft.attachments {
      let size = HumanFormat.bytes(UInt64(attachment.size))
      let place = attachment.path.map { "\($0.display), " } ?? ""
      lines.append("Attached: \(Printable.text(attachment.name)) (\(place)\(size))")
    }
    do throws(Explanation) {
      lines += try session.protection.lines(start)
    } catch {
      context.report(error)
    }
    for line in lines { console.print(line) }
    for warning in DraftWarning.all(in: draft) { context.report(warning.text) }
    let reader = AttachmentReader(limit: .max, session.task.partial)
    for problem in reader.problems(of: draft.attachments) { context.report(problem) }
  }

  static let help = [
    "s  send it", "e  edit it again", "a  attach a file", "v  view it as it is sent",
    "d  keep it in the folder for drafts", "q  quit; magnum resume goes on with it",
    "x  discard it",
  ]

  func wish() -> Wish {
    let question = "[s]end, [e]dit, [a]ttach, [v]iew, [d]raft, [q]uit, [?] help, discard [x]? "
    guard let answer = console.ask(question) else {
      return Interruption.shared.isRequested ? .end : .draft
    }
    return switch answer.first {
    case "s": .send
    case "e": .edit
    case "a": .attach
    case "v": .view
    case "d": .draft
    case "x": .discard
    case "q": .end
    default: .help
    }
  }

  func isSure(_ draft: Draft) -> Bool {
    DraftWarning.all(in: draft).isEmpty || console.confirm("send it all the same?")
  }

  func view(_ draft: Draft) {
    do throws(Explanation) {
      let complete = try session.dispatch.completed(draft)
      let octets = try session.dispatch.message(complete, for: .sending)
      let message = try explaining(.noInput) { () throws(SourceError) in
        try StreamedMessage(reading: octets).message
      }
      var text = MessageText(
        prefersHTML: false,
        showsAllHeaders: false,
        style: TextStyle(.auto, TerminalTraits.of(descriptor: 1))
      )
      text.add(.unread(message), tags: [])
      if Pager.isWanted, Pager.show(text.octets) { return }
      console.print(octets: text.octets)
    } catch {
      context.report(error)
    }
  }
}

extension DraftText.Problem {
  /// What is wrong, for people.
  var text: String {
    switch self {
    case .noField(let line):
      "line \(line) is no field of a header; an empty line has to be before the text"
    case .reserved(let name, let line):
      "line \(line): \(Printable.text(name, limit: 80)) cannot be set"
    case .badRecipient(let text):
      "\(LetterError.badAddress(text).explanation.what); between two there has to be a comma"
    case .repeated(let name, let line):
      "line \(line): there is more than one field \(Printable.text(name, limit: 80))"
    case .notAttached(let value, let line):
      "line \(line): \"\(Printable.text(value, limit: 80))\" names no attachment; "
        + "a line Attach: FILE attaches a file"
    case .noHeader:
      "there is no header: fields such as To and Subject, and an empty line before the text"
    case .badProtection(let line):
      "line \(line): Protect is one of: sign, encrypt, both with a comma between them, or none; "
        + "if-possible in place of encrypt"
    case .notUTF8: "the text is not UTF-8"
    }
  }
}
