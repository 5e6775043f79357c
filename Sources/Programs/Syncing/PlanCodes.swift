internal import SyncPlan

/// The steps of a plan as scripts read them: a word for what is done and one for why, which do not change with the texts.
struct PlanCodes {
  let action: String
  /// The UID of the message; nil for a file that is no message yet.
  let uid: UInt32?
  /// The base name of the file; nil where there is none.
  let file: [UInt8]?

  private init(_ action: String, _ uid: UInt32?, _ file: [UInt8]?) {
    self.action = action
    self.uid = uid
    self.file = file
  }

  init(_ step: PlanStep) {
    switch step {
    case .record(let fact): self.init(fact)
    case .rename(let rename): self.init(rename)
    case .store(let store): self.init("push-flags", store.uid, nil)
    case .move(let move): self.init("move", move.uid, move.name)
    case .copy(let copy): self.init("copy", copy.original.uid, copy.name)
    case .upload(let upload): self.init("upload", upload.replacing, upload.name)
    case .download(let message): self.init("fetch", message.uid, nil)
    case .complete(let completion): self.init("complete", completion.uid, completion.name)
    case .remove(let removal): self.init(removal)
    case .delete(.synced(let name, let uid, _)): self.init("remove-file", uid, name)
    case .delete(.superseded(let name, let uid, _, _, _)): self.init("remove-file", uid, name)
    case .forget(let uid): self.init("forget", uid, nil)
    }
  }

  private init(_ fact: MailboxFact) {
    switch fact {
    case .match(let name, let uid, _, _, _), .matchEdited(let name, let uid, _, _, _, _):
      self.init("rematch", uid, name)
    case .renumber(_, let message, _): self.init("rematch", message.uid, nil)
    case .agree(let uid, _): self.init("record-flags", uid, nil)
    case .detach(let name, let uid): self.init("detach", uid, name)
    case .wait(let name, _): self.init("wait", nil, name)
    }
  }

  private init(_ rename: LocalRename) {
    switch rename {
    case .setFlags(let name, let uid, _, _): self.init("set-flags", uid, name)
    case .relocate(let relocation):
      self.init("move-file", relocation.record.uid, relocation.name)
    }
  }

  private init(_ removal: ServerRemoval) {
    switch removal {
    case .fileless(let uid, let toTrash), .copied(let uid, let toTrash),
      .replaced(let uid, let toTrash, _, _):
      self.init(toTrash ? "trash" : "delete", uid, nil)
    case .marked(let name, let uid): self.init("delete", uid, name)
    }
  }

  /// What is left as it is.
  init(_ difference: BlockedChange.Difference) {
    switch difference {
    case .addition(let name): self.init("upload", nil, name)
    case .flags(let name, let uid): self.init("push-flags", uid, name)
    case .removal(let uid): self.init("delete", uid, nil)
    case .move(let uid, _): self.init("move", uid, nil)
    case .serverDeletion(let name, let uid): self.init("remove-file", uid, name)
    case .download(let uid): self.init("fetch", uid, nil)
    }
  }
}

extension Reason {
  /// The reason for scripts.
  var code: String {
    switch self {
    case .newOnServer: "new-on-server"
    case .flagsChangedOnServer: "flags-changed-on-server"
    case .deletedOnServer: "deleted-on-server"
    case .deletedOnBothSides: "deleted-on-both-sides"
    case .leftUnderWay: "left-by-interrupted-run"
    case .alreadyHere: "already-here"
    case .flaggedOnServer: "flagged-on-server"
    case .flaggedHere: "flagged-here"
    case .newHere: "new-here"
    case .copiedHere: "copied-here"
    case .flagsChangedHere: "flags-changed-here"
    case .deletedHere: "deleted-here"
    case .renamedHere: "renamed-here"
    case .movedHere: "moved-here"
    case .keptHere: "moved-here-deleted-on-server"
    case .movedOnServer: "moved-on-server"
    case .editedHere: "edited-here"
    case .markedDeleted: "marked-deleted"
    case .restoredHere: "missing-after-restore"
    case .wantedAgain: "wanted-again"
    case .attachmentsLost: "attachments-lost"
    case .attachmentsWanted: "attachments-wanted"
    case .unknownOnServer: "no-longer-on-server"
    }
  }
}

extension BlockedChange.Cause {
  /// The reason for scripts.
  var code: String {
    switch self {
    case .pullOnly: "pull-only"
    case .pushOnly: "push-only"
    case .massDeletion: "mass-deletion"
    case .absenceUnproven: "folder-changed"
    case .postponed: "postponed"
    case .copied: "copied"
    case .kept: "kept-on-server"
    case .notPermanent: "flags-not-permanent"
    case .notPermitted: "flags-not-permitted"
    case .elsewhere: "file-elsewhere"
    case .fromElsewhere: "from-other-mailbox"
    case .mayHaveMoved: "may-have-moved"
    case .unread: "message-unread"
    case .movedOn: "moved-on"
    case .alreadyThere: "already-there"
    case .requested: "queued"
    case .readOnly: "read-only"
    case .partial: "partial"
    }
  }
}
