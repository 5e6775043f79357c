internal import Threads

/// The senders and receivers of a message that was found.
package struct FoundPeople: Sendable {
  /// What is the same for the same Message-ID and date.
  package let key: [UInt8]

  /// When the message was written, in seconds since 1970.
  package let date: Int64

  package let from: [Person]
  package let to: [Person]
  package let cc: [Person]

  /// Whether its user answered it.
  package let isAnswered: Bool

  package init(_ message: FoundMessage) {
    key = Schema.date(message.date, of: message.member.id)
    (date, from, to, cc) = (message.date, message.from, message.to, message.cc)
    isAnswered = message.tags.contains(.replied)
  }

  init(key: [UInt8], from: [Person], to: [Person], cc: [Person], isAnswered: Bool) {
    self.key = key
    date = Schema.seconds(ofDate: key)
    (self.from, self.to, self.cc) = (from, to, cc)
    self.isAnswered = isAnswered
  }
}

/// Who of a message is counted.
package struct PeopleFields: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  package static let senders = PeopleFields(rawValue: 1)
  package static let recipients = PeopleFields(rawValue: 2)
}
