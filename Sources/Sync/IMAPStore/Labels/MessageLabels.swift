internal import MailModel
internal import SyncPlan

/// The labels of one message, as keywords and flags.
struct MessageLabels: Hashable {
  /// The tags.
  private(set) var keywords: [[UInt8]] = []
  private var isDraft = false
  /// Labels that no tag can stand for.
  private(set) var unusable: [[UInt8]] = []

  /// The labels as the server lists them.
  init(_ labels: [[UInt8]]) {
    for label in labels {
      switch LabelMeaning(label: label) {
      case .tag(let name): keywords.append(name)
      case .draft: isDraft = true
      case .none: break
      case .unusable: unusable.append(label)
      }
    }
  }

  /// The flags of a message that has these too.
  func added(to flags: MessageFlags) -> MessageFlags {
    MessageFlags(
      isDraft ? flags.system.union(.draft) : flags.system,
      keywords: flags.keywords + keywords
    )
  }
}
