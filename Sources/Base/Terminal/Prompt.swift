internal import Glibc
internal import Octets
package import Platform

extension Console {
  /// Whether there is a person to ask, who sees the question and all that is printed besides.
  package var canAsk: Bool { isatty(0) == 1 && isOutputTerminal && errorTraits.isTerminal }

  /// Asks the person at the terminal, after all results so far.
  ///
  /// - Parameters:
  ///   - question: what is written to standard error, without a line end.
  ///   - interruption: ends the wait when requested.
  /// - Returns: the line that was typed; nil where the terminal is gone, or the wait was interrupted.
  package func ask(_ question: String, interruption: Interruption = .shared) -> String? {
    prompt(question)
    guard let line = Self.readTyped(interruption) else {
      // The cursor is still behind the question.
      writeNote("")
      return nil
    }
    return String(decoding: line, as: UTF8.self)
  }

  /// Asks the person at the terminal to agree; the question gets ` [y/N] ` behind it.
  ///
  /// - Returns: whether `y` or `yes` was typed, in letters of either case; anything else is a no.
  package func confirm(_ question: String) -> Bool {
    guard let line = ask("\(question) [y/N] ") else { return false }
    let answer = line.utf8.filter { !ASCII.isBlank($0) && $0 != ASCII.carriageReturn }
    return answer.equalsCaseless("y") || answer.equalsCaseless("yes")
  }

  /// Asks the person at the terminal for a secret, and does something with it; what is typed is not shown until that is done.
  ///
  /// - Parameters:
  ///   - question: what is written to standard error, without a line end.
  ///   - interruption: ends the wait when requested; the terminal then shows again what is typed.
  ///   - use: gets the line that was typed; nil where standard input has ended, or the wait was interrupted.
  /// - Returns: what `use` returns; nil where standard input is no terminal.
  /// - Throws: what `use` throws.
  package func withSecret<Result, Failure: Error>(
    _ question: String,
    interruption: Interruption,
    _ use: ([UInt8]?) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    var shown = termios()
    guard tcgetattr(0, &shown) == 0 else { return nil }
    var hidden = shown
    hidden.c_lflag &= ~tcflag_t(ECHO)
    guard tcsetattr(0, TCSADRAIN, &hidden) == 0 else { return nil }
    defer { tcsetattr(0, TCSADRAIN, &shown) }
    prompt(question)
    let typed = Self.readTyped(interruption)
    // The line end that was typed was not shown either.
    writeNote("")
    return try use(typed)
  }

  /// A line, read octet by octet, so that what is typed ahead is left for the next question.
  private static func readTyped(_ interruption: Interruption) -> [UInt8]? {
    var line: [UInt8] = []
    while line.count < 4096 {
      var ends = [
        pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
        pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&ends, 2, -1) > 0 || errno == EINTR else { return nil }
      if interruption.isRequested { return nil }
      guard ends[0].revents != 0 else { continue }
      var octet: UInt8 = 0
      guard read(0, &octet, 1) == 1 else { return nil }
      if octet == ASCII.lineFeed { return line }
      line.append(octet)
    }
    return nil
  }
}
