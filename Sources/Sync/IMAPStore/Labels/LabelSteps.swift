internal import MailModel
internal import MailStore
internal import MessageContent
internal import Platform
internal import SyncPlan

/// A message without the keywords that are labels: APPEND sets none.
struct UnlabelledMessage: MessageSource {
  private let message: any MessageSource

  init(_ message: any MessageSource) { self.message = message }

  var marks: MessageFlags {
    let marks = message.marks
    return MessageFlags(
      marks.system.subtracting(.deleted),
      keywords: marks.keywords.filter(LabelMeaning.isFlag)
    )
  }
  var arrival: Int64? { message.arrival }
  var wireSize: UInt64 { message.wireSize }
  func open() throws(SystemError) -> WireReader { try message.open() }
}

extension KeywordChange {
  /// The keywords that begin with `$`, or the others.
  fileprivate func part(isFlag: Bool) -> KeywordChange {
    KeywordChange(
      adding: adding.filter { LabelMeaning.isFlag($0) == isFlag },
      removing: removing.filter { LabelMeaning.isFlag($0) == isFlag }
    )
  }
}

extension FlagStore {
  /// What is changed by FLAGS; nil where that is nothing.
  ///
  /// In Trash and Spam no label is set, and a keyword is taken away.
  func ofFlags(isLabelled: Bool) -> FlagStore? {
    var flags = keywords.part(isFlag: true)
    if !isLabelled { flags.removing = keywords.removing }
    let added = isLabelled ? adding.subtracting(.deleted) : adding
    guard !added.isEmpty || !removing.isEmpty || !flags.isEmpty else { return nil }
    return FlagStore(uid: uid, adding: added, removing: removing, keywords: flags)
  }

  /// What is changed by labels; nil where that is nothing.
  var ofLabels: FlagStore? {
    let labels = keywords.part(isFlag: false)
    guard !labels.isEmpty else { return nil }
    return FlagStore(uid: uid, adding: [], removing: [], keywords: labels)
  }
}

extension FlagOutcome {
  /// This, and what came of labels of the same messages: one change a message.
  func joined(with labels: FlagOutcome) -> FlagOutcome {
    var all = self
    all.gone.formUnion(labels.gone)
    all.refused += labels.refused
    for store in labels.stored {
      guard let place = all.stored.firstIndex(where: { $0.uid == store.uid }) else {
        all.stored.append(store)
        continue
      }
      let known = all.stored[place]
      all.stored[place] = FlagStore(
        uid: store.uid,
        adding: known.adding,
        removing: known.removing,
        keywords: KeywordChange(
          adding: known.keywords.adding + store.keywords.adding,
          removing: known.keywords.removing + store.keywords.removing
        )
      )
    }
    return all
  }
}
