internal import IMAP
internal import MailStore
internal import Octets

extension ServerLimit {
  /// What a command is for: the same code means different things to different commands.
  enum Purpose: Hashable, Sendable {
    /// Greeting, log-in, or anything before a mailbox.
    case login
    /// Opening one mailbox, which alone may be in use.
    case opening
    /// Looking at mailboxes and at what is told of all messages alike.
    case reading
    /// Reading what messages hold, of which one may be unreadable.
    case content
    /// Bringing messages into a mailbox, which may be full.
    case adding
    /// Any other change, which may be one that the server never makes.
    case changing

    init(_ command: Command) {
      self =
        switch command {
        case .capability, .noop, .logout, .id, .startTLS, .compress, .login, .authenticate,
          .enable:
          .login
        case .select, .examine: .opening
        case .uidFetch(_, let items, _) where items.contains(where: \.isContent): .content
        case .idle, .notify, .notifyNone, .unselect, .namespace, .list, .status, .uidFetch,
          .uidSearch, .uidSearchSizes:
          .reading
        case .append, .uidCopy, .uidMove, .uidMoveFound: .adding
        case .uidStore, .uidStoreFound, .uidStoreLabel, .uidExpunge, .expunge, .create, .delete,
          .rename, .subscribe, .unsubscribe:
          .changing
        }
    }
  }

  /// The limit that an answer to a command speaks of; nil where it is any other answer.
  init?(_ response: StatusResponse, to purpose: Purpose) {
    guard response.kind == .no || response.kind == .bad || response.kind == .bye else { return nil }
    if let seconds = Self.backoff(response.text) {
      self = .pause(seconds: seconds)
    } else if Self.speaksOfConnections(response.text) {
      self = .connections
    } else if Self.speaksOfTraffic(response.text) || Self.speaksOfLostMailbox(response.text) {
      self = .pause(seconds: nil)
    } else if response.kind != .bad, Self.isPassing(response.code, purpose) {
      self = .pause(seconds: nil)
    } else {
      return nil
    }
  }

  /// Whether the code stands for something that passes.
  ///
  /// OVERQUOTA is a full mailbox where something is to be put into one, and too much traffic everywhere else. LIMIT may be
  /// a lasting limit, such as that of keywords, for commands that change something. UNAVAILABLE may be said of one message whose
  /// content is asked for.
  private static func isPassing(_ code: ResponseCode?, _ purpose: Purpose) -> Bool {
    switch (code, purpose) {
    case (.overQuota, .login), (.overQuota, .opening), (.overQuota, .reading),
      (.overQuota, .content):
      true
    case (.limit, .login), (.limit, .opening), (.limit, .reading), (.limit, .content): true
    case (.unavailable, .login), (.unavailable, .reading): true
    case (.inUse, .login): true
    case (.other(let name, _), _): name.equalsCaseless("THROTTLED")
    default: false
    }
  }

  /// The seconds in "Suggested Backoff Time: 299822 milliseconds" (Microsoft), rounded up; a day at most.
  private static func backoff(_ text: [UInt8]) -> Int64? {
    let mark: StaticString = "Suggested Backoff Time:"
    guard let place = place(of: mark, in: text) else { return nil }
    var cursor = Cursor(text[(place + mark.utf8CodeUnitCount)...])
    _ = cursor.take { $0 == ASCII.space }
    let milliseconds = min(cursor.decimal() ?? 0, 86_400_000)
    return max(1, Int64((milliseconds + 999) / 1000))
  }

  private static func speaksOfConnections(_ text: [UInt8]) -> Bool {
    let marks: [StaticString] = [
      "too many simultaneous connections", "too many connections", "too many open connections",
      "too many concurrent connections", "too many sessions", "maximum number of connections",
      "maximum connection limit", "connection limit exceeded",
    ]
    return marks.contains { place(of: $0, in: text) != nil }
  }

  /// What Exchange says for a while when it has lost the mailbox of a session (also as BAD).
  private static func speaksOfLostMailbox(_ text: [UInt8]) -> Bool {
    place(of: "user is authenticated but not connected", in: text) != nil
  }

  private static func speaksOfTraffic(_ text: [UInt8]) -> Bool {
    let marks: [StaticString] = [
      "exceeded command or bandwidth limits", "request is throttled", "rate limit",
      "too many requests",
    ]
    return marks.contains { place(of: $0, in: text) != nil }
  }

  /// Whether the server wants to know the program before it opens a mailbox (163, 126, QQ).
  static func wantsIdentity(_ response: StatusResponse) -> Bool {
    response.kind == .no && place(of: "Unsafe Login", in: response.text) != nil
  }

  /// Whether a server that answers like this for one message after the other cannot serve the account.
  static func isPassing(_ response: StatusResponse) -> Bool {
    response.kind == .no && response.code == .unavailable
  }

  private static func place(of mark: StaticString, in text: [UInt8]) -> Int? {
    text.indices.first { text[$0...].startsCaseless(with: mark) }
  }
}
