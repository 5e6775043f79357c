internal import CommandLine
internal import Configuration
internal import MIME
internal import MailModel
internal import Octets
internal import Outgoing
internal import SMTP
internal import Sendmail
internal import Spool
internal import SpoolPlan
internal import Submission

/// Makes the new version of a message of the queue, as magnum-send would make it of what a person gives it.
struct Revision {
  private let correspondent: Correspondent

  /// A revision of an entry in the queue of a user.
  ///
  /// Without a configuration, or where it no longer has the account, the message says by itself who sends it.
  init(of item: QueuedItem, _ user: UInt32, _ queue: QueueContext) {
    let configuration = try? queue.command.configuration()
    let sender = configuration?.sender(named: item.spool.account)
    correspondent = Correspondent(sender, configuration, user: user)
  }

  /// The message and its envelope, to these recipients if any are named, else to those left.
  ///
  /// Fields of the message add no recipients: some of those whom they name may have it already. Bcc goes all the same.
  /// A message that differs from what others have gets a Message-ID of its own.
  func prepared(
    _ unsent: Unsent,
    _ message: (any OctetSource)?,
    to recipients: [String]
  ) throws(Explanation) -> (Sending, any OctetSource) {
    let sending = unsent.sending
    var envelope = sending.envelope
    let book = try correspondent.book()
    do throws(LetterError) {
      if !recipients.isEmpty {
        envelope.recipients = try book.recipients(named: recipients.map { Array($0.utf8) })
      }
      let new = try Letter(message ?? unsent.message)
      let identity = correspondent.identity
      var letter = try new.prepared(
        replacing: envelope,
        identity,
        messageID: sending.messageID
      )
      if unsent.isShared, message != nil,
        (try? Spool.seal(letter.message, like: unsent.seal)) != unsent.seal
      {
        letter = try new.prepared(besides: sending.messageID, envelope, identity)
      }
      return (
        sending.revised(
          letter.envelope,
          messageID: letter.messageID,
          blindCopies: letter.blindCopies
        ), letter.message
      )
    } catch {
      throw error.explanation
    }
  }
}
