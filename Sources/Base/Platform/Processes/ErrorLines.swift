internal import Octets

/// What a program says on standard error, of which only the last line counts.
///
/// A thread of its own reads it to its end: the program never waits for that, nor does anything here wait for a process that the
/// program has left behind.
package final class ErrorLines: Sendable {
  /// The longest line that is kept, in octets.
  package static let lengthLimit = 500

  /// How much is kept of what came last, in octets: blank lines may stand behind the line.
  private static let tailLength = 4096

  private struct State: Sendable {
    var tail: [UInt8] = []
    var isAtEnd = false
  }

  private let state: Monitor<State>

  /// Reads the pipe to its end.
  ///
  /// - Throws: the error of pthread_create(3).
  init(reading pipe: consuming Descriptor) throws(SystemError) {
    let state = Monitor(State())
    self.state = state
    let number = pipe.release()
    do throws(SystemError) {
      _ = try Thread.spawn(name: "errors", stackSize: 256 << 10) { Self.read(number, into: state) }
    } catch {
      _ = Descriptor(adopting: number)
      throw error
    }
  }

  private static func read(_ number: Int32, into state: Monitor<State>) {
    let pipe = Descriptor(adopting: number)
    while let piece = try? pipe.read(atMost: 1 << 14), !piece.isEmpty {
      state.withLock { $0.tail = Array(($0.tail + piece).suffix(tailLength)) }
    }
    state.update { $0.isAtEnd = true }
  }

  /// The last line so far that is not blank, fit for a terminal.
  ///
  /// - Parameter seconds: how long to wait for the end of all that the program says.
  /// - Returns: the line, cut at ``lengthLimit``; nil where there is none.
  package func last(waiting seconds: Double) -> [UInt8]? {
    state.wait(deadline: .after(seconds: seconds)) { $0.isAtEnd }
    return Self.lastLine(of: state.withLock { $0.tail })
  }

  /// The last line of a text that is not blank.
  static func lastLine(of text: [UInt8]) -> [UInt8]? {
    let lines = text.split { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn }
    guard let line = lines.last(where: { !$0.allSatisfy { ASCII.isBlank($0) } }) else { return nil }
    return Array(Printable.text(line, limit: lengthLimit).utf8)
  }
}
