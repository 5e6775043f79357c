package import MailModel
package import Configuration
internal import Glibc
package import Platform
package import Syncing
package import Terminal

/// What a watch passes on of a sync that it makes for another program, as it happens.
package enum WatchedReport: Hashable, Sendable {
  /// Lines that the program would have written to standard output.
  case output([UInt8])
  /// Lines that it would have written to standard error.
  case errors([UInt8])
  /// How far the account has come.
  case progress(ProgressState)
}

/// Asks the watch of an account for a sync, over the connection to the server that it has.
package struct WatchClient: Sendable {
  /// What a program asks for, whichever account it is.
  package struct Wish: Sendable {
    /// In which form syncs are reported.
    package var form: ReportForm
    /// Whether standing problems are reported each time, as to a person.
    package var isAttended: Bool
    /// Whether the accounts were named, so that what a server refused before is tried again.
    package var isNamed: Bool
    /// What standard error can show.
    package var terminal: TerminalTraits

    /// A wish; see the fields.
    package init(form: ReportForm, isAttended: Bool, isNamed: Bool, terminal: TerminalTraits) {
      self.form = form
      self.isAttended = isAttended
      self.isNamed = isNamed
      self.terminal = terminal
    }
  }

  /// Seconds to wait for the first sign from the watch, and for each of the next ones.
  private static let timeouts = (first: 5.0, next: 30.0)
  /// Seconds within which a watch that reads its configuration anew listens again, and seconds between looks.
  private static let restart = (limit: 3.0, interval: 0.1)

  /// What came of asking.
  private enum Outcome {
    case made(ExitStatus)
    /// Nothing watches the account, or the watch makes no sync for others now.
    case none
    /// The watch ends, or begins anew, or did so before it answered.
    case again
  }

  private let account: String
  private let socket: Path
  private let request: WatchRequest

  /// Asks whatever watches the account; a watch that read another configuration is left alone.
  package init(
    _ account: Account,
    _ configuration: Configuration,
    stateHome: Path,
    _ wish: Wish
  ) {
    self.account = account.name
    socket = RequestSocket.path(of: account, in: stateHome)
    request = WatchRequest(
      configuration: configuration.checksum,
      form: wish.form,
      isAttended: wish.isAttended,
      isNamed: wish.isNamed,
      terminal: WatchRequest.Terminal(wish.terminal)
    )
  }

  /// Whether there is a socket; whether anybody listens is seen when it is asked.
  package var mayBeThere: Bool { (try? FileSystem.status(socket)) != nil }

  /// Has the account synced, and waits for the end of that.
  ///
  /// - Parameters:
  ///   - interruption: ends the wait.
  ///   - relay: takes what is reported, on this thread; not what the sync came to where it is not the program's. It should not
  ///     wait for long, or the watch takes the program for one that is gone.
  /// - Returns: how a program ends that made the sync itself; nil where the account is not watched, or the watch makes no sync
  ///   for others now: the program has to.
  package func sync(
    _ interruption: Interruption,
    _ relay: (WatchedReport) -> Void
  ) -> ExitStatus? {
    switch ask(interruption, relay) {
    case .made(let status): return status
    case .none: return nil
    case .again: break
    }
    // One that reads its configuration anew syncs at once: beside that, a sync of the program's own would find the account
    // locked.
    let limit = Deadline.after(seconds: Self.restart.limit)
    while !limit.isPast, interruption.sleep(seconds: Self.restart.interval) {
      guard let connection = try? LocalSocket.connect(to: socket) else { continue }
      switch ask(connection, interruption, relay) {
      case .made(let status): return status
      case .none: return nil
      case .again: continue
      }
    }
    return nil
  }

  private func ask(_ interruption: Interruption, _ relay: (WatchedReport) -> Void) -> Outcome {
    guard let connection = try? LocalSocket.connect(to: socket) else { return .none }
    return ask(connection, interruption, relay)
  }

  private func ask(
    _ connection: borrowing Descriptor,
    _ interruption: Interruption,
    _ relay: (WatchedReport) -> Void
  ) -> Outcome {
    guard (try? connection.write(all: request.line)) != nil else { return .none }
    var reader = WatchAnswerReader()
    var isAnswered = false
    while Self.waits(connection, isAnswered, interruption) {
      guard let piece = try? connection.read(atMost: 1 << 16), !piece.isEmpty,
        let answers = try? reader.readAnswers(piece)
      else { return isAnswered ? .none : .again }
      isAnswered = true
      for answer in answers {
        switch answer {
        case .working: continue
        case .output(let octets): relay(.output(octets))
        case .errors(let octets): relay(.errors(octets))
        case .progress(var state):
          state.account = account
          relay(.progress(state))
        case .done(let status): return .made(status)
        case .declined: return .none
        case .again: return .again
        }
      }
    }
    return .none
  }

  /// Waits for more; false where nothing comes, or the program is to end.
  private static func waits(
    _ connection: borrowing Descriptor,
    _ isAnswered: Bool,
    _ interruption: Interruption
  ) -> Bool {
    let seconds = isAnswered ? timeouts.next : timeouts.first
    var polled = [
      pollfd(fd: connection.raw, events: Int16(POLLIN), revents: 0),
      pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&polled, nfds_t(polled.count), Int32(seconds * 1000))
    return count > 0 && !interruption.isRequested
  }
}
