internal import Octets

/// What a server answers to one command: a code and words for people (RFC 5321 §4.2).
package struct Reply: Hashable, Sendable {
  /// The code of the last line, 200…599.
  package let code: UInt16

  /// What follows the code in each line, at least one, possibly empty; octets of a stranger.
  package let lines: [[UInt8]]

  package init(code: UInt16, lines: [[UInt8]]) {
    self.code = code
    self.lines = lines
  }

  /// The enhanced status at the start of the first line; `nil` when there is none.
  ///
  /// One that contradicts the code (RFC 2034 §4) counts as words.
  package var status: EnhancedStatus? {
    guard let line = lines.first, let status = EnhancedStatus(startOf: line[...]),
      status.kind == code / 100
    else { return nil }
    return status
  }

  /// The words of all lines with a space between them, enhanced status included.
  package var text: [UInt8] {
    [UInt8](lines.joined(separator: [ASCII.space]))
  }

  /// Whether the command was carried out: 2yz.
  package var isPositive: Bool { code / 100 == 2 }

  /// Whether the server wants more before it carries the command out: 3yz.
  package var isIntermediate: Bool { code / 100 == 3 }

  /// Whether the same command may be carried out later: 4yz.
  package var isTransient: Bool { code / 100 == 4 }

  /// Whether the command will not be carried out: 5yz.
  package var isPermanent: Bool { code / 100 == 5 }

  /// Whether the server closes the connection, whatever was asked (RFC 5321 §3.8): 421.
  package var isClosing: Bool { code == 421 }
}

extension Reply: CustomStringConvertible {
  package var description: String {
    text.isEmpty ? "\(code)" : "\(code) \(Printable.text(text))"
  }
}
