internal import Glibc
internal import JSON
internal import Octets
internal import Platform

/// The way to an archive: its command, with one end of a socket for input and output, and what it said that was not read yet.
///
/// For one thread at a time.
struct ArchiveConnection: ~Copyable {
  /// Octets of one line at most: a thread of thousands of messages.
  private static let lineLimit = 8 << 20

  /// So many values may be in any line, and one more for so many octets of it.
  private static let (fewValues, octetsOfValue) = (1000, 4)

  /// How many times the timeout an answer may take as a whole.
  private static let timeoutFactor = 10

  private let socket: Descriptor
  private let errors: Descriptor
  private let process: Int32
  private let timeout: Int
  private var buffer: [UInt8] = []
  private var place = 0
  /// Octets that came since the last question, and that may come: the answers to all that are open.
  private var taken = 0
  private var room = 0
  private var said: [UInt8] = []
  private var hasGreeted = false
  /// When the answer has to be complete, and when the next sign of it has to come.
  private var deadline = Deadline.never
  private var silence = Deadline.never
  private var isOpen = true

  /// Starts the command.
  init(_ command: [String], timeout: Int) throws(ArchiveTrouble) {
    do throws(SystemError) {
      let tunnel = try ChildProcess.openReportingTunnel(.arguments(command))
      socket = Descriptor(adopting: tunnel.socket)
      errors = Descriptor(adopting: tunnel.errors)
      process = tunnel.process
    } catch {
      throw .notStarted(error)
    }
    self.timeout = timeout
    _ = fcntl(socket.raw, F_SETFL, fcntl(socket.raw, F_GETFL) | O_NONBLOCK)
    _ = fcntl(errors.raw, F_SETFL, fcntl(errors.raw, F_GETFL) | O_NONBLOCK)
  }

  deinit {
    shutdown(socket.raw, Int32(SHUT_RDWR))
    ChildProcess.end(process, grace: 0)
  }

  /// Sends a line; the answer has to come within its time from now, and has no more octets than that.
  ///
  /// If the other end no longer reads it, its earlier output is still to be read.
  mutating func send(_ line: JSONValue, answerLimit: Int) throws(ArchiveTrouble) {
    room = max(0, room - taken) + answerLimit
    let octets = line.text + [ASCII.lineFeed]
    deadline = .after(seconds: Double(timeout * Self.timeoutFactor))
    silence = .after(seconds: Double(timeout))
    taken = 0
    var sent = 0
    while sent < octets.count {
      let count = octets.withUnsafeBytes { bytes in
        Glibc.send(
          socket.raw,
          bytes.baseAddress?.advanced(by: sent),
          bytes.count - sent,
          Int32(MSG_NOSIGNAL)
        )
      }
      if count > 0 {
        sent += count
      } else if errno == EAGAIN {
        try wait(for: Int16(POLLOUT))
      } else if errno != EINTR {
        return
      }
    }
  }

  /// No question is open.
  mutating func closeQuestion() { room = 0 }

  /// The next line behind the greeting.
  mutating func receive() throws(ArchiveTrouble) -> JSONValue {
    if !hasGreeted {
      let greeting = try value(line())
      let version: Int
      do throws(WireMistake) { version = try ArchiveLine.version(of: greeting) } catch {
        throw .garbled(expected: "greeting")
      }
      guard version <= ArchiveLine.version else { throw .newer(version: version) }
      hasGreeted = true
    }
    return try value(line())
  }

  private func value(_ line: ArraySlice<UInt8>) throws(ArchiveTrouble) -> JSONValue {
    // A value takes many times the octets that it may be written in, such as [].
    let limit = Self.fewValues + line.count / Self.octetsOfValue
    do throws(JSONValue.Problem) {
      return try JSONValue(Array(line), valueLimit: limit)
    } catch {
      throw .garbled(expected: error.expected)
    }
  }

  private mutating func line() throws(ArchiveTrouble) -> ArraySlice<UInt8> {
    var searched = place
    while true {
      if let end = buffer[searched...].firstIndex(of: ASCII.lineFeed) {
        defer { place = end + 1 }
        return buffer[place..<end]
      }
      searched = buffer.count - place
      buffer.removeFirst(place)
      place = 0
      guard buffer.count < Self.lineLimit, taken < room else { throw .tooLong }
      try readSome()
    }
  }

  private mutating func readSome() throws(ArchiveTrouble) {
    var piece = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = recv(socket.raw, &piece, piece.count, 0)
      if count > 0 {
        buffer += piece[..<count]
        taken += count
        silence = .after(seconds: Double(timeout))
        return
      }
      if count == 0 { throw ended() }
      switch errno {
      case EAGAIN: try wait(for: Int16(POLLIN))
      case EINTR: break
      default: throw ended()
      }
    }
  }

  /// Waits until the socket can be read or written; what the command complains of is read meanwhile.
  private mutating func wait(for events: Int16) throws(ArchiveTrouble) {
    while true {
      guard !deadline.isPast else { throw .slow(seconds: timeout * Self.timeoutFactor) }
      var polled = [
        pollfd(fd: socket.raw, events: events, revents: 0),
        pollfd(fd: isOpen ? errors.raw : -1, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&polled, 2, min(silence, deadline).pollMilliseconds)
      if count > 0, polled[1].revents != 0 { readErrors() }
      if count > 0, polled[0].revents != 0 { return }
      // Others may have been waited for meanwhile: what came by then has come in time.
      guard count != 0 || !silence.isPast else { throw .silent(seconds: timeout) }
    }
  }

  private mutating func readErrors() {
    var piece = [UInt8](repeating: 0, count: 4096)
    let count = read(errors.raw, &piece, piece.count)
    if count > 0 {
      said += piece[..<count].prefix(max(0, 1000 - said.count))
    } else if count == 0 || errno != EAGAIN && errno != EINTR {
      isOpen = false
    }
  }

  /// The end of the command, with the first line that it complained of: what follows it is often less to the point.
  private mutating func ended() -> ArchiveTrouble {
    // It may say why just before it ends.
    let deadline = Deadline.after(seconds: 0.2)
    while isOpen, !deadline.isPast {
      var polled = [pollfd(fd: errors.raw, events: Int16(POLLIN), revents: 0)]
      guard poll(&polled, 1, deadline.pollMilliseconds) > 0 else { break }
      readErrors()
    }
    let line = said.split(separator: ASCII.lineFeed).first ?? []
    return .ended(words: line.isEmpty ? nil : Printable.text(line, limit: 200))
  }
}
