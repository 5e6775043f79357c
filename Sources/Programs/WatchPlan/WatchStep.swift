/// What is to be done next for a watched account.
package enum WatchStep: Hashable, Sendable {
  /// Sync all of the account, over the connection that is open or over a new one.
  case sync(SyncStep)
  /// Ask the server for a sign of life, and give the connection up where none comes.
  case check
  /// Wait for what the server tells, and for wake-ups, until the moment; what the server tells before `gathering` is told
  /// once no more follows.
  case listen(until: Moment, gathering: Moment)
  /// Wait for wake-ups without a connection.
  case rest(until: Moment)
}

/// One sync of a watched account.
package struct SyncStep: Hashable, Sendable {
  /// Whether a new connection has to be made, which takes a log-in.
  package let connects: Bool
  /// Whether what was removed here is left on the server for now.
  package let postponesRemovals: Bool
  /// Whether nothing changed in the account for a minute.
  package let isQuiet: Bool
  /// Whether a person asked for this account, so that a secret is offered again that was refused before, and a pause that
  /// the server asked for is skipped.
  package let isAsked: Bool
}

/// How a sync ended.
package enum SyncEnd: Hashable, Sendable {
  /// To its end, though some mailbox may have failed; `postponed` removals, and copies that may be moves, are left.
  case done(postponed: Int)
  /// The server could not be reached, or the connection was lost.
  case offline
  /// The server wants to be left alone for so many seconds.
  case pausing(seconds: Double)
  /// The server refused the secret, or did before.
  case refused
  /// There is no secret until a person has logged in; it is looked again after so many seconds.
  case loggedOut(seconds: Double)
  /// Another program syncs the account.
  case busy
  /// The account's folders are not there, as where a disk is not mounted; the server was not asked.
  case away
  /// Something is wrong that time alone may not mend.
  case failed

  /// Whether a new login may mend it.
  var needsLogin: Bool {
    switch self {
    case .refused, .loggedOut: true
    case .done, .offline, .pausing, .busy, .away, .failed: false
    }
  }
}

/// How a wait for the server ended.
package enum ListenEnd: Hashable, Sendable {
  /// Something may have changed on the server.
  case changed
  /// Nothing happened there: it was the moment, or a wake-up.
  case quiet
  /// The connection is gone.
  case lost
}

/// What happened outside of the connection.
package enum WatchNews: Hashable, Sendable {
  /// A file came, went or changed its name, or the queue got an entry.
  case localChange
  /// The server told of a change in a mailbox besides INBOX.
  case serverChange
  /// The machine got another address.
  case newAddress
  /// The machine was suspended.
  case resumed
  /// The configuration was read anew: what the server refused before may be mended.
  case reloaded
  /// The login of the account at an authorization server was kept anew, or a refusal of its secret was forgotten.
  case newLogin
}

/// That another program asks for a sync now.
package enum SyncDemand: Hashable, Sendable {
  /// By a person who named the account: nothing that failed before keeps it from being tried.
  case named
  /// By a program that syncs all accounts, as at fixed times: what the server refused or put off stays so.
  case unnamed
}

/// A moment by a clock that is never set, and that goes on while the machine is suspended.
package struct Moment: Hashable, Comparable, Sendable {
  /// Milliseconds since some moment in the past.
  package let milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// So many seconds later, or earlier where they are negative.
  package static func + (moment: Moment, seconds: Double) -> Moment {
    Moment(milliseconds: moment.milliseconds + Int64(seconds * 1000))
  }

  /// The seconds from another moment to this one.
  package static func - (moment: Moment, other: Moment) -> Double {
    Double(moment.milliseconds - other.milliseconds) / 1000
  }

  /// Whether it is earlier than another one.
  package static func < (moment: Moment, other: Moment) -> Bool {
    moment.milliseconds < other.milliseconds
  }
}
