internal import Configuration
internal import Correspondence
internal import Glibc
internal import MailModel
internal import MIME
internal import Octets
internal import Outgoing
internal import Platform
internal import Sendmail
internal import SpoolPlan
internal import Terminal

/// The message by which a list is left: to one address, with the subject and the text that its address names, and nothing else.
struct UnsubscribeMail {
  /// Completed.
  let draft: Draft
  private let dispatch: Dispatch

  /// - Throws: why the address is not used; that `from` is no address of the person, or no account sends.
  init(
    _ url: [UInt8],
    _ header: Header,
    _ account: Account,
    from: String?,
    _ configuration: Configuration,
    _ decoder: CharsetDecoder
  ) throws(Explanation) {
    let address: MailtoAddress
    do throws(MailtoAddress.Problem) {
      address = try MailtoAddress(url)
    } catch {
      throw error.explanation(url)
    }
    var draft = Draft()
    draft.from = try Self.author(header, from, configuration, decoder)
    draft.to = [.mailbox(address.recipient)]
    (draft.subject, draft.text) = (address.subject, address.text)
    let choice = AccountChoice(configuration, user: geteuid())
    let sender: Sender
    if let from = draft.from {
      sender = try choice.sender(for: [from.address])
    } else if let own = configuration.sender(named: account.name) {
      sender = own
    } else {
      sender = try choice.sender(for: [])
    }
    dispatch = Dispatch(sender, configuration, user: geteuid())
    self.draft = try dispatch.completed(draft)
  }

  /// The own address that the list has; nil for that of the account.
  private static func author(
    _ header: Header,
    _ from: String?,
    _ configuration: Configuration,
    _ decoder: CharsetDecoder
  ) throws(Explanation) -> Mailbox? {
    let own = OwnAddresses(of: configuration)
    guard let from else { return own.receiver(of: header, decoder) }
    let mailboxes = Address.list(Array(from.utf8)[...], .native).flatMap(\.mailboxes)
    guard mailboxes.count == 1, let only = mailboxes.first, own.contains(only) else {
      throw Explanation(
        .usage,
        "\"\(Printable.text(from.utf8, limit: 100))\" is no address of your own",
        hint: "address and addresses in \(configuration.path.display) name them"
      )
    }
    return only
  }

  /// Puts it into the queue; durable on return.
  func enqueue() throws(Explanation) -> Queued {
    let schedule = dispatch.usualSchedule
    let entry = try dispatch.enqueue(try dispatch.prepared(draft), schedule)
    return Queued(dispatch: dispatch, entry: entry, schedule: schedule)
  }

  /// The message in the queue.
  struct Queued {
    let dispatch: Dispatch
    let entry: Entry
    /// The moment before which it is not sent; nil for at once.
    let schedule: ScheduledTime?
  }
}

extension MailtoAddress.Problem {
  /// For people.
  fileprivate func explanation(_ url: [UInt8]) -> Explanation {
    let what =
      switch self {
      case .noRecipient: "it names no recipient"
      case .severalRecipients: "it names more than one recipient"
      case .hasField(let name): "it asks for the field \(Printable.text(name, limit: 60))"
      case .badText: "it is malformed"
      }
    return Explanation(
      .data,
      place: Printable.text(url, limit: 300),
      "the address is refused: \(what)"
    )
  }
}
