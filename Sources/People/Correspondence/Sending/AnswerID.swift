internal import Hashing
package import Invitations
package import MIME
internal import Octets

/// What the id of an answer to an invitation tells: of which event it is, and how that is answered.
///
/// A command that was cut short behind the queue is known by it: run again, it goes on with the message that waits there. The id
/// is `TOKEN.EVENT.ANSWER@domain`, where the second and third are hashes.
package struct AnswerID: Sendable {
  private let event: [UInt8]
  private let answer: [UInt8]

  private static let length = 16

  /// - Parameters:
  ///   - answer: what is answered.
  ///   - invitation: the invitation.
  ///   - message: the id of its message; nil for none.
  ///   - address: who answers.
  ///   - note: what the organizer is told besides; nil for nothing.
  package init(
    _ answer: InvitationAnswer,
    to invitation: Invitation,
    in message: MessageID?,
    by address: [UInt8],
    note: [UInt8]?
  ) {
    let event = invitation.event
    self.event = Self.hash([
      event.uid, event.recurrenceID?.value ?? [], event.organizer?.address ?? [],
    ])
    self.answer = Self.hash([
      [UInt8](answer.rawValue.utf8), message?.octets ?? [], [UInt8](decimal: event.sequence),
      address, note.map { [ASCII.plus] + $0 } ?? [],
    ])
  }

  private static func hash(_ values: [[UInt8]]) -> [UInt8] {
    let octets = values.flatMap { [UInt8](decimal: $0.count) + [ASCII.colon] + $0 }
    return Hex.encode([UInt8](Hashes.sha256(octets).prefix(length / 2)))
  }

  /// An id with it, made of another one.
  package func id(from other: MessageID) -> MessageID? {
    guard let at = other.octets.lastIndex(of: ASCII.at) else { return other }
    let mark = [ASCII.dot] + event + [ASCII.dot] + answer
    return MessageID(stripping: other.octets[..<at] + mark + other.octets[at...])
  }

  /// Whether a message of that id answers the same event; nil where it does not, else whether it is the same answer.
  package func isSame(as id: [UInt8]) -> Bool? {
    let local = id[..<(id.lastIndex(of: ASCII.at) ?? id.endIndex)]
    let words = local.split(separator: ASCII.dot, omittingEmptySubsequences: false).suffix(2)
    guard words.count == 2, let first = words.first, let last = words.last,
      first.elementsEqual(event)
    else { return nil }
    return last.elementsEqual(answer)
  }
}
