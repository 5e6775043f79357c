internal import CommandLine
internal import Correspondence
internal import MIME
internal import Octets
internal import Platform
internal import Terminal

/// Drafts that programs left that did not come to their end.
extension ComposeTask {
  /// Prints them, one a line.
  func list() -> ExitStatus {
    do throws(SystemError) {
      for composition in try Composition.abandoned() {
        let (draft, facts) = try read(composition)
        let name = composition.directory.lastComponent
        if context.globals.json {
          var line = JSONLine()
          line.add("version", 1)
          line.add("name", octets: name)
          line.add("account", ifPresent: facts.account)
          line.add("subject", octets: draft.subject)
          line.add("to", octets: (draft.to + draft.cc).map { AddressText.text([$0]) })
          line.add("queuing", facts.isQueuing)
          console.print(octets: line.octets)
        } else {
          let to = Printable.text(AddressText.text(draft.to), limit: 40)
          let note = facts.isQueuing ? "  (may have been sent)" : ""
          console.print(
            "\(Printable.text(name))  \(to)  \(Printable.text(draft.subject, limit: 50))\(note)"
          )
        }
      }
      return .success
    } catch {
      return context.report(Explanation(.partial, error.description))
    }
  }

  /// The one of that name; nil where there is none.
  func abandoned(named name: String) throws(Explanation) -> ComposeStart? {
    guard !name.isEmpty, !name.utf8.contains(ASCII.slash), name.utf8.first != ASCII.dot else {
      return nil
    }
    let directory = Composition.root.appending(name)
    guard (try? FileSystem.status(directory.appending("text.eml"))) ?? nil != nil else {
      return nil
    }
    let opened = try explaining(.partial) { () throws(SystemError) in
      try Composition.open(directory)
    }
    guard let composition = opened else {
      throw Explanation(.tryAgain, place: name, "another program edits it")
    }
    let (draft, facts) = try explaining(.partial) { () throws(SystemError) in
      try read(composition)
    }
    return try start(draft, facts, composition, name)
  }

  private func start(
    _ draft: Draft,
    _ facts: Composition.Facts,
    _ composition: Composition,
    _ name: String
  ) throws(Explanation) -> ComposeStart {
    var start = ComposeStart(draft: draft, facts: facts, isFresh: false, composition: composition)
    guard facts.isQueuing else { return start }
    start.facts.isQueuing = false
    let sender = try sender(for: start)
    let dispatch = Dispatch(sender, try configuration(), user: UserIdentity.effective)
    if let id = draft.messageID, try dispatch.isQueued(id) {
      ComposeSession(self, sender, try configuration()).settle(start)
      throw Explanation(.success, place: name, "it is in the queue already; the draft is removed")
    }
    context.report(
      place: name,
      "it was about to be sent, and may have been",
      hint: "look for it in the mail that was sent before you send it again"
    )
    return start
  }

  /// The draft as its text says, as far as that can be read.
  private func read(
    _ composition: Composition
  ) throws(SystemError) -> (Draft, Composition.Facts) {
    var (draft, files) = try composition.draft(decoder)
    for file in files {
      // A file that is gone meanwhile is missed when the draft is looked at.
      if let file = try? AttachmentReader(limit: .max).file(file) {
        draft.attachments.append(.file(file))
      }
    }
    if let text = try composition.text(),
      let edited = try? DraftText.parse(text, into: draft, decoder)
    {
      draft = edited.draft
      for file in edited.files {
        let path = Path(argument: String(decoding: file, as: UTF8.self))
        if let file = try? AttachmentReader(limit: .max).file(path) {
          draft.attachments.append(.file(file))
        }
      }
    }
    return (draft, try composition.facts())
  }
}
