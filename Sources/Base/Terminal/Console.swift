internal import Glibc
internal import Octets
internal import Platform

/// The program's words to its user: results on standard output, messages on standard error.
///
/// Every write is checked. Whatever is lost is told by ``finish()``, since a full disk must not
/// look like success. May be used by several threads; a line is never mixed with another.
///
/// The program has to ignore SIGPIPE. A reader who goes away ends the output, nothing else.
package final class Console: Sendable {
  private let state: Monitor<State>

  /// What standard error can show; its width is that of the beginning.
  package let errorTraits: TerminalTraits

  /// Whether to ask for the width anew, since people change the size of their windows.
  private let followsWindow: Bool

  /// Whether results go to a terminal, which must not get what it would obey.
  package let isOutputTerminal: Bool

  private struct State: Sendable {
    var output: OutputStream
    var errors: OutputStream
    /// Lines at the foot of the terminal that are drawn over.
    var footer: [String] = []
    /// How many of them are on the screen.
    var drawn = 0
    /// Whether each line on standard error is a JSON object.
    var hasJSONErrors = false
  }

  /// A console on two open descriptors, which stay open.
  ///
  /// - Parameters:
  ///   - output: for results.
  ///   - errors: for messages and progress.
  ///   - errorTraits: what `errors` can show; `nil`: asked of the descriptor and the environment.
  package init(output: Int32 = 1, errors: Int32 = 2, errorTraits: TerminalTraits? = nil) {
    self.errorTraits = errorTraits ?? TerminalTraits.of(descriptor: errors)
    followsWindow = errorTraits == nil
    isOutputTerminal = isatty(output) == 1
    state = Monitor(
      State(output: OutputStream(descriptor: output), errors: OutputStream(descriptor: errors))
    )
  }

  /// The columns of a line on standard error, now.
  package var errorWidth: Int {
    guard followsWindow else { return errorTraits.width }
    let descriptor = state.withLock { $0.errors.descriptor }
    return TerminalTraits.columns(of: descriptor) ?? errorTraits.width
  }

  /// Puts out a line of results; it may be kept until ``flush()``, but not from a terminal.
  package func print(_ line: String) {
    print(octets: Array(line.utf8) + [ASCII.lineFeed])
  }

  /// Puts out octets of results as they are, whole lines; as ``print(_:)`` does.
  package func print(octets: [UInt8]) {
    state.withLock { $0.output.append(octets) }
    if isOutputTerminal { flush() }
  }

  /// Has each line on standard error be a JSON object from now on, as programs read them.
  package func writeErrorsAsJSON() { state.withLock { $0.hasJSONErrors = true } }

  private var hasJSONErrors: Bool { state.withLock { $0.hasJSONErrors } }

  /// Writes a message to standard error, at once, after all results so far.
  package func report(_ diagnostic: Diagnostic) {
    guard hasJSONErrors else {
      return write(diagnostic.lines(colours: errorTraits.allowsColours))
    }
    write([String(decoding: diagnostic.json.octets.dropLast(), as: UTF8.self)])
  }

  /// Puts out what another program wrote for this one: results, then messages, at once.
  package func relay(output: [UInt8], errors: [UInt8]) {
    state.withLock { state in
      Self.clearFooter(&state)
      state.output.append(output)
      state.output.flush()
      state.errors.append(errors)
      Self.drawFooter(&state)
      state.errors.flush()
    }
  }

  /// Writes a line of information to standard error, at once, after all results so far.
  ///
  /// Control characters in it are shown, not sent.
  package func writeNote(_ line: String) {
    guard hasJSONErrors else { return write([Printable.text(line.utf8, limit: 4000)]) }
    guard !line.isEmpty else { return }
    var json = JSONLine()
    json.add("version", 1)
    json.add("code", "note")
    json.add("what", line)
    write([String(decoding: json.octets.dropLast(), as: UTF8.self)])
  }

  /// Writes a question, and leaves the cursor behind it.
  func prompt(_ question: String) {
    state.withLock { state in
      Self.clearFooter(&state)
      state.errors.flush()
      state.output.flush()
      state.errors.append(question.utf8)
      state.errors.flush()
    }
  }

  /// Draws the lines at the foot of the terminal in place of those drawn before; none clears it.
  ///
  /// Does nothing where lines cannot be drawn over. Each line must fit the terminal's width.
  package func drawFooter(_ lines: [String]) {
    guard errorTraits.allowsRedrawing else { return }
    state.withLock { state in
      if state.hasJSONErrors { return }
      state.footer = lines
      Self.clearFooter(&state)
      Self.drawFooter(&state)
      state.errors.flush()
    }
  }

  /// Writes all that was kept.
  package func flush() {
    state.withLock { state in
      guard state.drawn > 0 else { return state.output.flush() }
      // Results may share the screen with the footer: take it away, put it back below them.
      Self.clearFooter(&state)
      state.errors.flush()
      state.output.flush()
      Self.drawFooter(&state)
      state.errors.flush()
    }
  }

  /// Writes all that was kept and clears the footer.
  ///
  /// - Returns: the error number of write(2) if any results were lost otherwise than by a reader
  ///   who had enough; `nil` if all is well. The program then ends with `ExitStatus.output`.
  package func finish() -> Int32? {
    drawFooter([])
    flush()
    return state.withLock { state in
      if case .failed(let code) = state.output.failure { code } else { nil }
    }
  }

  private func write(_ lines: [String]) {
    state.withLock { state in
      Self.clearFooter(&state)
      state.errors.flush()
      state.output.flush()
      for line in lines { state.errors.append(Array(line.utf8) + [ASCII.lineFeed]) }
      Self.drawFooter(&state)
      state.errors.flush()
    }
  }

  /// Moves up over the lines of the footer and clears to the end of the screen.
  private static func clearFooter(_ state: inout State) {
    guard state.drawn > 0 else { return }
    let up = state.drawn > 1 ? "\u{1B}[\(state.drawn - 1)A" : ""
    state.errors.append("\r\(up)\u{1B}[J".utf8)
    state.drawn = 0
  }

  /// Draws the footer; the cursor stays at the end of its last line.
  private static func drawFooter(_ state: inout State) {
    state.errors.append(state.footer.joined(separator: "\r\n").utf8)
    state.drawn = state.footer.count
  }
}
