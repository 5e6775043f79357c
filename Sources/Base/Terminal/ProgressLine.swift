internal import Octets

/// One account's progress as one line of a terminal.
package enum ProgressLine {
  /// Account, mailbox or phase, then as many figures as fit.
  ///
  /// `work  Lists/swift  120/1,000  3.4 MB  12 s left  1.2 MB/s`. On a narrow terminal the name of
  /// the mailbox is cut, then the last figures go, one by one.
  ///
  /// - Parameters:
  ///   - state: how far the account has come.
  ///   - width: columns of the terminal.
  ///   - nameWidth: columns for the account's name, so that several lines stand in columns.
  /// - Returns: one line of at most `width` columns, without a line end.
  package static func text(_ state: ProgressState, width: Int, nameWidth: Int = 0) -> String {
    let account = Printable.text(state.account.utf8, limit: 40)
    let head = DisplayWidth.padded(account, to: min(nameWidth, 40))
    var figures = figures(state)
    let subject = subject(state)
    while !figures.isEmpty {
      let room = width - columns([head] + figures)
      if room >= min(DisplayWidth.columns(of: subject), leastSubject) + gap.count {
        return join([head, DisplayWidth.cut(subject, to: room - gap.count)] + figures)
      }
      figures.removeLast()
    }
    return DisplayWidth.cut(join([head, subject]), to: width)
  }

  private static let gap = "  "

  /// The columns below which a mailbox's name says nothing.
  private static let leastSubject = 12

  /// What is happening: the mailbox whose messages arrive, else the phase.
  private static func subject(_ state: ProgressState) -> String {
    switch state.phase {
    case .connecting: "connecting"
    case .authenticating: "logging in"
    case .folders: "looking at mailboxes"
    case .headers, .bodies: state.mailbox.map { Printable.text($0, limit: 200) } ?? "messages"
    case .other(let words): Printable.text(words.utf8, limit: 200)
    }
  }

  /// The figures that are known, the most telling first.
  private static func figures(_ state: ProgressState) -> [String] {
    var figures: [String] = []
    if let total = state.messagesTotal {
      figures.append("\(HumanFormat.count(state.messagesDone))/\(HumanFormat.count(total))")
    } else if state.messagesDone > 0 {
      figures.append(HumanFormat.count(state.messagesDone))
    }
    if state.bytesDone > 0 { figures.append(HumanFormat.bytes(state.bytesDone)) }
    if let left = state.secondsLeft { figures.append("\(HumanFormat.seconds(left)) left") }
    if let rate = state.bytesPerSecond { figures.append(HumanFormat.rate(rate)) }
    return figures
  }

  private static func join(_ parts: [String]) -> String {
    parts.filter { !$0.isEmpty }.joined(separator: gap)
  }

  private static func columns(_ parts: [String]) -> Int {
    DisplayWidth.columns(of: join(parts))
  }
}

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
