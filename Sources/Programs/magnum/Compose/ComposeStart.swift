internal import MailModel
internal import Correspondence
internal import MIME
internal import Platform

/// A draft before it is edited, and what belongs to it.
struct ComposeStart {
  var draft: Draft
  var facts = Composition.Facts()
  /// What stands above the text of the person, and below it.
  var above: [UInt8] = []
  var below: [UInt8] = []
  /// Whether there is anything to send.
  var hasContent = false
  /// Whether a program has said what the text is.
  var isGiven = false
  /// Whether text and signature are added; a draft that goes on has its own.
  var isFresh = true
  /// Where it is kept while it is edited; nil where it is not yet.
  var composition: Composition?
  /// Why the text that was kept cannot be read as a draft; only an editor can go on with it then.
  var unread: Explanation?
  /// Held while a draft in a folder goes on; nil where there is none, or it cannot be locked.
  var draftLock: FileLock?
  /// Not before this moment, as it was given.
  var at: String?
  /// What a program wants to become of it.
  var end: ComposeOptions.End?
  /// Whether the draft that goes on was kept encrypted.
  var isSecret = false
  /// Whether it was begun before, so that it may hold the text of an encrypted message that it concerns.
  var mayHoldText = false
  /// What is done with it if its recipients lack keys, where it is encrypted only if they have them; nil where that is decided.
  var openProtection: DraftProtection?
  /// All that was said of its protection; nil before that is decided.
  var wishes: DraftProtection.Wishes?
  /// HTML that a program gave beside the text.
  var html: [UInt8]?
  /// What a program gave in place of the text and all that is attached, HTML in it.
  var given: MessageBody?
  /// The message that is answered, where it is to be printed.
  var answered: ShownMessage?

  /// Puts a decision into the draft; one that is refused goes as it may.
  mutating func carryOut(_ decision: DraftProtection.Decision) {
    switch decision {
    case .decided(let protection): (draft.protection, openProtection) = (protection, nil)
    case .refused(let instead): (draft.protection, openProtection) = (instead, nil)
    case .ifPossible(let protection):
      openProtection = protection
      // What was said of signing is kept with the draft, and that this is open.
      let isSaid = wishes.map { $0.signs != nil || $0.draft != nil } ?? false
      draft.protection = isSaid ? protection : nil
      draft.protection?.isOpen = true
    }
  }
}
