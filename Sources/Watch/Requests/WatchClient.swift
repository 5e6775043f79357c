package import CommandLine
package import Configuration
internal import Glibc
package import Platform
package import Syncing

/// A sync that a watch made for another program.
package struct WatchedSync: Hashable, Sendable {
  /// How a program ends that made it itself.
  package let status: ExitStatus
  /// What it would have written to standard output.
  package let output: [UInt8]
  /// What it would have written to standard error.
  package let errors: [UInt8]
}

/// Asks the watch of an account for a sync, over the connection to the server that it has.
package struct WatchClient: Sendable {
  /// Seconds without a sign from the watch, the first and any other, after which it is not waited for any more.
  private static let patience = (first: 5.0, next: 30.0)

  private let socket: Path
  private let request: WatchRequest

  /// Asks whatever watches the account; a watch that read another configuration is left alone.
  ///
  /// `isAttended`: whether standing problems are reported each time, as to a person.
  package init(
    _ account: Account,
    _ configuration: Configuration,
    stateHome: Path,
    form: ReportForm,
    isAttended: Bool
  ) {
    socket = RequestSocket.path(of: account, in: stateHome)
    request = WatchRequest(
      configuration: configuration.checksum,
      form: form,
      isAttended: isAttended
    )
  }

  /// Whether there is a socket; whether anybody listens is seen when it is asked.
  package var mayBeThere: Bool { (try? FileSystem.status(socket)) != nil }

  /// Has the account synced, and waits for the end of that.
  ///
  /// - Returns: nil where nobody watches the account, or the watch makes no sync for others now: the program has to.
  package func sync(_ interruption: Interruption) -> WatchedSync? {
    guard let connection = try? LocalSocket.connect(to: socket),
      (try? connection.write(all: request.line)) != nil
    else { return nil }
    var reader = WatchAnswerReader()
    var (output, errors) = ([UInt8](), [UInt8]())
    var patience = Self.patience.first
    while Self.waits(connection, patience, interruption) {
      patience = Self.patience.next
      guard let piece = try? connection.read(atMost: 1 << 16), !piece.isEmpty,
        let answers = try? reader.take(piece)
      else { return nil }
      for answer in answers {
        switch answer {
        case .working: continue
        case .output(let octets): output = octets
        case .errors(let octets): errors = octets
        case .done(let status): return WatchedSync(status: status, output: output, errors: errors)
        case .declined: return nil
        }
      }
    }
    return nil
  }

  /// Waits for more; false where nothing comes, or the program is to end.
  private static func waits(
    _ connection: borrowing Descriptor,
    _ seconds: Double,
    _ interruption: Interruption
  ) -> Bool {
    var polled = [
      pollfd(fd: connection.raw, events: Int16(POLLIN), revents: 0),
      pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&polled, nfds_t(polled.count), Int32(seconds * 1000))
    return count > 0 && !interruption.isRequested
  }
}
