internal import MailStore
internal import SyncPlan
internal import SyncState

/// Has the content of files be what is on record of it.
///
/// Older versions recorded what a message holds with what servers add or drop: its file is still that of its message.
enum FormerContents {
  /// Looks through all records of the account, where a file of the group was read of which that makes a difference.
  static func recognise(in group: [OpenMailbox], _ outside: Surroundings) throws(SyncFailure) {
    let files = group.map { ($0, $0.formerContents) }.filter { !$0.1.isEmpty }
    guard !files.isEmpty else { return }
    let wanted = Set(files.flatMap { $0.1.map(\.identity) })
    var states = group.map(\.state)
    for entry in outside.entries {
      if let state = try outside.state(of: entry) { states.append(state) }
    }
    let known = Set(states.flatMap { $0.messages.wholeMessages(holding: wanted).map(\.content) })
    for (mailbox, contents) in files {
      for (name, identity) in contents where known.contains(identity) {
        mailbox.takeFormerContent(of: name)
      }
    }
  }
}
