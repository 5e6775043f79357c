internal import Octets

/// A status code that says more than three digits can: `5.1.1` (RFC 3463, sent as of RFC 2034).
package struct EnhancedStatus: Hashable, Sendable {
  /// 2 for success, 4 for a temporary failure, 5 for a permanent one.
  package let kind: UInt16

  /// What the status is about: 1 address, 2 mailbox, 3 system, 4 network, 5 protocol, 6 content,
  /// 7 policy; 0 anything.
  package let subject: UInt16

  /// The detail within the subject.
  package let detail: UInt16

  package init(_ kind: UInt16, _ subject: UInt16, _ detail: UInt16) {
    self.kind = kind
    self.subject = subject
    self.detail = detail
  }

  /// The status at the beginning of a text, before a blank or the end; `nil` when there is none.
  init?(startOf text: ArraySlice<UInt8>) {
    var cursor = Cursor(text)
    guard let kind = Self.number(&cursor, digits: 1), [2, 4, 5].contains(kind),
      cursor.skip(ASCII.dot), let subject = Self.number(&cursor, digits: 3),
      cursor.skip(ASCII.dot), let detail = Self.number(&cursor, digits: 3),
      cursor.peek.map(ASCII.isBlank) ?? true
    else { return nil }
    self.init(kind, subject, detail)
  }

  private static func number(_ cursor: inout Cursor, digits: Int) -> UInt16? {
    let text = cursor.take(while: ASCII.isDigit)
    guard text.count <= digits else { return nil }
    var number = Cursor(text)
    return number.decimal().map { UInt16($0) }
  }
}

extension EnhancedStatus: CustomStringConvertible {
  package var description: String { "\(kind).\(subject).\(detail)" }
}
