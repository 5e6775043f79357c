/// How a server broke the protocol that it is to speak.
package struct ProtocolViolation: Hashable, Sendable {
  /// Which rule, in the words of the protocol's implementation.
  package let rule: String
  /// Whether it does not speak the protocol at all: `line` is its greeting.
  package let isOtherProtocol: Bool
  /// The beginning of the response in question, secrets cut out; empty where no line is to blame.
  ///
  /// Not fit for a terminal as it is.
  package let line: [UInt8]

  package init(rule: String, isOtherProtocol: Bool, line: [UInt8]) {
    self.rule = rule
    self.isOtherProtocol = isOtherProtocol
    self.line = line
  }
}
