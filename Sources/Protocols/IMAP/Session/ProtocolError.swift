internal import Octets

/// How a server broke the protocol; the session is over.
package struct ProtocolError: Error, Hashable, Sendable {
  /// What is wrong.
  package let problem: Problem

  /// The beginning of the response in question, at most 200 octets, secrets cut out.
  ///
  /// Empty when no line is to blame. Not fit for a terminal as it is.
  package let line: [UInt8]

  /// An error with a line, which is cut to 200 octets.
  package init(_ problem: Problem, line: some Collection<UInt8>) {
    self.problem = problem
    self.line = [UInt8](line.prefix(200))
  }
}

extension ProtocolError: CustomStringConvertible {
  package var description: String {
    line.isEmpty ? "\(problem)" : "\(problem): \(Printable.text(line))"
  }
}
