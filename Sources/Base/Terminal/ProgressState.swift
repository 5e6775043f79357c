/// How far one account has come.
package struct ProgressState: Hashable, Sendable {
  /// What is being done.
  package enum Phase: Hashable, Sendable {
    case connecting
    case authenticating
    /// The mailboxes are being listed and compared.
    case folders
    /// Flags, UIDs and the like are being compared.
    case headers
    /// Messages are arriving.
    case bodies
    /// Anything else, in the caller's words.
    case other(String)
  }

  /// The name of the account.
  package var account: String

  /// What is being done.
  package var phase: Phase

  /// The mailbox at hand, decoded; `nil` when it concerns the whole account.
  package var mailbox: [UInt8]?

  /// Messages that have arrived.
  package var messagesDone: Int

  /// Messages to come in all; `nil` when that is not known.
  package var messagesTotal: Int?

  /// Octets that have arrived.
  package var bytesDone: UInt64

  /// Octets a second, lately; `nil` when there is no telling yet.
  package var bytesPerSecond: Double?

  /// Seconds until the end, estimated; `nil` when there is no telling.
  package var secondsLeft: Double?

  /// The state of an account that has only begun.
  package init(
    account: String,
    phase: Phase = .connecting,
    mailbox: [UInt8]? = nil,
    messagesDone: Int = 0,
    messagesTotal: Int? = nil,
    bytesDone: UInt64 = 0,
    bytesPerSecond: Double? = nil,
    secondsLeft: Double? = nil
  ) {
    self.account = account
    self.phase = phase
    self.mailbox = mailbox
    self.messagesDone = messagesDone
    self.messagesTotal = messagesTotal
    self.bytesDone = bytesDone
    self.bytesPerSecond = bytesPerSecond
    self.secondsLeft = secondsLeft
  }
}
