internal import CommandLine
internal import Correspondence
internal import MIME
internal import MailModel
internal import Octets
internal import Platform
internal import Terminal
internal import Triage

// Going on with a message that did not reach all of its recipients.
extension ComposeTask {
  /// Leaves of the recipients of a sent message only those who did not get it; all where none is known.
  func keepFailedRecipients(
    _ start: inout ComposeStart,
    _ found: MessageFinder.Found
  ) throws(Explanation) {
    guard let account = found.account, let id = found.message.header.messageID,
      let file = found.file, let sent = try account.sentMail(),
      let folder = try? FileSystem.realPath(file.path.parent.parent),
      folder == (try? FileSystem.realPath(sent.maildir))
    else { return }
    let triage = Triage(configuration, stateHome: Environment.stateHome)
    guard let bounced = try triage.bouncedMessages(in: account, id.octets).first else { return }
    guard !bounced.recipients.isEmpty else {
      console.writeNote(
        "\(context.name): the reports of failures are gone; the draft has all recipients"
      )
      return
    }
    let failed = bounced.recipients.map(\.address)
    start.draft.to = Self.addresses(in: start.draft.to, of: failed)
    start.draft.cc = Self.addresses(in: start.draft.cc, of: failed)
    start.draft.bcc = Self.addresses(in: start.draft.bcc, of: failed)
  }

  private static func addresses(in list: [Address], of failed: [[UInt8]]) -> [Address] {
    list.flatMap(\.mailboxes).filter { failed.contains($0.address) }.map { .mailbox($0) }
  }
}
