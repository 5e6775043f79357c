package import MailModel
package import SyncPlan

/// What differs between a file and the message on the server that it was restored to.
package enum RestoreDifference: Hashable, Sendable {
  /// The server does not have it.
  case missing
  /// The server has other octets.
  case octets
  /// The server lists it, and does not give it to be compared.
  case unread
  /// The server shows other flags than it was given, or than the file has where it was there before.
  case flags(here: SystemFlags, there: SystemFlags)
  /// The server lacks keywords.
  case keywords(here: [[UInt8]], there: [[UInt8]])
  /// The server tells another date, in seconds since 1970.
  case date(here: Int64, there: Int64)

  /// Whether the server is to lose the message, or does not give it: it is marked as deleted there, and the file is not.
  package var isLoss: Bool {
    switch self {
    case .missing, .unread: true
    case .flags(let here, let there): there.contains(.deleted) && !here.contains(.deleted)
    case .octets, .keywords, .date: false
    }
  }

  /// What differs between a file and its message; keywords that the server has besides are no difference.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - flags: the flags that the mailbox can keep of the file's.
  ///   - message: the message; nil where there is none.
  ///   - proof: what is known of its octets.
  /// - Returns: the differences; none where the message is what the file is.
  package static func all(
    _ file: RestoredFile,
    _ flags: MessageFlags,
    _ message: RemoteMessage?,
    _ proof: RestoreRecords.Proof
  ) -> [RestoreDifference] {
    guard let message else { return [.missing] }
    var differences: [RestoreDifference] =
      switch proof {
      case .same: []
      case .other: [.octets]
      case .unseen: [.unread]
      }
    let there = message.flags
    if flags.system != there.system {
      differences.append(.flags(here: flags.system, there: there.system))
    }
    if !Set(flags.keywords).isSubset(of: there.keywords) {
      differences.append(.keywords(here: flags.keywords, there: there.keywords))
    }
    if let date = message.date, date != file.date {
      differences.append(.date(here: file.date, there: date))
    }
    return differences
  }
}
