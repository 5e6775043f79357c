internal import Glibc
internal import Platform

/// What may be sent to a descriptor besides plain text.
package struct TerminalTraits: Hashable, Sendable {
  /// Whether a terminal is at the other end.
  package let isTerminal: Bool

  /// Columns of a line; 80 where that is not known.
  package let width: Int

  /// Whether words may be printed bold or in colour.
  package let allowsColours: Bool

  /// Whether lines may be drawn over.
  package let allowsRedrawing: Bool

  /// Whether a terminal at the other end shows lines and other characters that are not ASCII.
  package let showsLines: Bool

  /// What follows from the facts.
  ///
  /// - Parameters:
  ///   - isTerminal: whether a terminal is at the other end.
  ///   - term: `TERM`; unset, empty or `dumb` allows neither colours nor redrawing.
  ///   - noColour: `NO_COLOR`; anything but empty forbids colours (no-color.org).
  ///   - columns: what the terminal says of its width; 0 or `nil`: nothing.
  ///   - locale: the name of the locale for characters, such as `en_GB.UTF-8`.
  package init(
    isTerminal: Bool,
    term: String?,
    noColour: String?,
    columns: Int?,
    locale: String? = nil
  ) {
    let isCapable = isTerminal && !(term ?? "").isEmpty && term != "dumb"
    self.isTerminal = isTerminal
    width = columns.flatMap { $0 > 0 ? $0 : nil } ?? 80
    allowsColours = isCapable && (noColour ?? "").isEmpty
    allowsRedrawing = isCapable
    let charset = (locale ?? "").lowercased()
    showsLines = isCapable && (charset.hasSuffix("utf-8") || charset.hasSuffix("utf8"))
  }

  /// Those of another program's terminal, to which what is written is passed on later: nothing can be drawn over by then.
  package init(relayedWithColours allowsColours: Bool) {
    (isTerminal, width, allowsRedrawing, showsLines) = (true, 80, false, false)
    self.allowsColours = allowsColours
  }

  /// The traits of an open descriptor in this process's environment.
  package static func of(descriptor: Int32) -> TerminalTraits {
    TerminalTraits(
      isTerminal: isatty(descriptor) == 1,
      term: Environment.value("TERM"),
      noColour: Environment.value("NO_COLOR"),
      columns: columns(of: descriptor),
      locale: ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { Environment.value($0) }
        .first { !$0.isEmpty }
    )
  }

  /// What the terminal says of its width, at least 1; `nil` without a terminal or an answer.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
