internal import Configuration
internal import Octets
internal import Platform
internal import SyncState

/// Where other programs ask the watch of an account for a sync, so that none has to log in of its own.
///
/// Used by one thread; each connection has one of its own.
final class RequestSocket {
  /// Seconds between signs to a program that waits, at most, and between pieces of a report, at least.
  private static let interval = (sign: 5.0, report: 0.1)
  /// Programs that may wait at once.
  private static let limit = 16

  private let path: Path
  private let listener: Descriptor
  private let connections = Monitor(0)

  /// The socket of an account, in its directory in the state home.
  static func path(of account: Account, in stateHome: Path) -> Path {
    AccountPlaces.memory(of: account, in: stateHome).appending("socket")
  }

  /// Listens for as long as it is there.
  ///
  /// - Throws: the error of bind(2); the watch does without it then.
  init(_ account: Account, _ stateHome: Path) throws(SystemError) {
    path = Self.path(of: account, in: stateHome)
    listener = try LocalSocket.listen(at: path)
  }

  deinit {
    try? FileSystem.remove(path)
  }

  /// Readable when a program connects.
  var descriptor: Int32 { listener.raw }

  /// Answers the programs that have connected; `answer` makes a request's sync of the line that it sent, nil where none is
  /// made.
  func accept(_ begin: @escaping @Sendable (ArraySlice<UInt8>) -> SyncRequest?) {
    while let connection = LocalSocket.accept(listener) {
      guard connections.withLock({ $0 < Self.limit }) else { continue }
      let number = connection.release()
      let connections = connections
      connections.withLock { $0 += 1 }
      let thread = try? Thread.spawn(name: "request") {
        Self.serve(Descriptor(adopting: number), begin)
        connections.withLock { $0 -= 1 }
      }
      guard thread == nil else { continue }
      connections.withLock { $0 -= 1 }
      _ = Descriptor(adopting: number)
    }
  }

  private static func serve(
    _ connection: consuming Descriptor,
    _ begin: (ArraySlice<UInt8>) -> SyncRequest?
  ) {
    guard let line = (try? readLine(connection)) ?? nil else { return }
    guard let request = begin(line[...]) else {
      _ = try? connection.write(all: WatchAnswer.declined.octets)
      return
    }
    do throws(SystemError) {
      var answers = [WatchAnswer.working]
      while true {
        for answer in answers { try connection.write(all: answer.octets) }
        if let last = answers.last, last.isEnd { return }
        request.waitForEnd(.after(seconds: interval.report))
        answers = request.answers(.after(seconds: interval.sign))
      }
    } catch {
      request.abandon()
    }
  }

  /// The line without its end; nil where none comes.
  private static func readLine(_ connection: borrowing Descriptor) throws(SystemError) -> [UInt8]? {
    var line: [UInt8] = []
    while line.count <= WatchRequest.limit {
      let piece = try connection.read(atMost: WatchRequest.limit)
      guard !piece.isEmpty else { return nil }
      line += piece
      if let end = line.firstIndex(of: ASCII.lineFeed) { return Array(line[..<end]) }
    }
    return nil
  }
}
