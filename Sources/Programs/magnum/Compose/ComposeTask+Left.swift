internal import CommandLine
internal import Correspondence
internal import MIME
internal import MailModel
internal import Octets
internal import Platform

// Going on with a draft that a program left that did not come to its end.
extension ComposeTask {
  /// The one of that name; nil where there is none.
  func abandoned(named name: String) throws(Explanation) -> ComposeStart? {
    guard !name.isEmpty, !name.utf8.contains(ASCII.slash), name.utf8.first != ASCII.dot else {
      return nil
    }
    let directory = Composition.root.appending(name)
    guard (try? FileSystem.status(directory)) ?? nil != nil else { return nil }
    let opened = try explaining(.partial) { () throws(SystemError) in
      try Composition.open(directory)
    }
    guard let composition = opened else {
      throw Explanation(.tryAgain, place: name, "another program edits it")
    }
    LeftDrafts.reportRemoval(of: composition, context)
    RecoveryFiles(of: composition).report(in: context)
    let (draft, facts, problem) = try LeftDrafts(context, partial).read(composition)
    if !options.changes { LeftDrafts.reportClearVersion(of: composition, facts, context) }
    var start = try start(draft, facts, composition, name)
    if let problem {
      // The text stays as it was typed: an editor shows that, nothing is sent in its place, and options cannot add to it.
      guard try end(start) == .editor, !options.addsToDraft else { throw problem }
      context.report(problem)
      start.unread = problem
    }
    return start
  }

  private func start(
    _ draft: Draft,
    _ facts: Composition.Facts,
    _ composition: Composition,
    _ name: String
  ) throws(Explanation) -> ComposeStart {
    var start = ComposeStart(draft: draft, facts: facts, isFresh: false, composition: composition)
    start.isSecret = composition.isSecret
    start.draft.concernsEncrypted =
      composition.isSecret && (draft.concernsEncrypted || draft.origin != nil)
    start.mayHoldText = true
    // Who goes on with the draft in its folder means the same message.
    if let path = facts.draft.flatMap({ MessageFile($0).currentPath() }) {
      start.draftLock = try lock(MessageFile(path))
    }
    guard facts.isQueuing else { return start }
    start.facts.isQueuing = false
    let sender = try sender(for: start)
    let dispatch = Dispatch(sender, configuration, user: UserIdentity.effective)
    if let id = draft.messageID, let entry = try dispatch.queued(id) {
      if entry.isHalfCancelled { throw queued(entry, sender) }
      ComposeSession(self, sender).finishDraft(start)
      throw Explanation(.success, place: name, "it is in the queue already")
    }
    context.report(
      place: name,
      "it was about to be sent, and may have been",
      hint: "look for it in the mail that was sent before you send it again"
    )
    return start
  }
}
