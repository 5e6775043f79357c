internal import Octets

/// What a person answers to an invitation.
package enum InvitationAnswer: String, CaseIterable, Sendable {
  case accepted, declined, tentative

  /// The value of PARTSTAT.
  var status: [UInt8] { rawValue.utf8.map(ASCII.uppercased) }

  /// What the subject of the answer begins with.
  package var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

/// All that decides about an answer.
package struct AnswerFacts: Sendable {
  package let invitation: Invitation
  /// The addresses of the person, and of those which belong to accounts that send, in the order of their importance.
  package var own: [[UInt8]] = []
  package var sending: [[UInt8]] = []
  /// The addresses to which the message was delivered or directed, the surest first.
  package var delivered: [[UInt8]] = []
  /// The address that the person names; nil for none.
  package var chosen: [UInt8]?
  /// The addresses in From.
  package var authors: [[UInt8]] = []
  /// Whether the receiving server says that the message is not of the domain in From.
  package var isDisowned = false
  package var isOver = false
  /// Whether the person gave this answer before.
  package var isRepeated = false
  /// The message with a newer version; nil where none is known.
  package var newer: String?

  package init(_ invitation: Invitation) {
    self.invitation = invitation
  }
}

/// Why an invitation is not answered.
package enum AnswerRefusal: Error, Hashable, Sendable {
  /// The message is for something else: its method.
  case notRequest([UInt8])
  /// The header of the part does not name the method.
  case uncertainMethod
  /// The organizer has no address of mail, or there is none.
  case noOrganizer
  case isOrganizer
  /// No address of the person is invited.
  case notInvited
  /// The named address is none of the person.
  case notOwn([UInt8])
  /// No account sends with the address.
  case cannotSend([UInt8])
  /// Another message has a newer version.
  case outdated(String)

  /// For people.
  package var words: String {
    switch self {
    case .notRequest(let method) where method.isEmpty: "it is no invitation"
    case .notRequest(let method): "it is no invitation, but \(Printable.text(method, limit: 40))"
    case .uncertainMethod: "the header of the message does not name the method of its calendar"
    case .noOrganizer: "the organizer has no address for mail"
    case .isOrganizer: "you are the organizer"
    case .notInvited: "none of your addresses is invited"
    case .notOwn(let address): "\(Printable.text(address, limit: 254)) is none of your addresses"
    case .cannotSend(let address):
      "no account sends mail from \(Printable.text(address, limit: 254))"
    case .outdated: "the invitation is outdated"
    }
  }

  /// What to do about it; nil where nothing can be advised.
  package var hint: String? {
    switch self {
    case .notInvited: "--as names the address to answer with, if a list was invited"
    case .outdated(let newer): "the newer one is \(newer)"
    default: nil
    }
  }
}

/// What a person is asked before an answer goes out.
package enum AnswerQuestion: Hashable, Sendable {
  case isOver
  /// The person gave the answer before.
  case repeated
  /// The address is not invited.
  case uninvited
  /// No author has an address in the domain of the organizer, to whom the answer goes.
  case otherDomain
  /// The message is not of its author, as the receiving server says.
  case disowned

  /// For people.
  package var words: String {
    switch self {
    case .isOver: "the event is over"
    case .repeated: "you have given this answer already"
    case .uninvited: "the address is not invited"
    case .otherDomain: "the sender of the message is not of the domain of the organizer"
    case .disowned: "the domain of the sender says that it did not send the message"
    }
  }
}

/// An answer that is decided: who answers, to whom, and what has to be asked before.
package struct AnswerPlan: Hashable, Sendable {
  /// The line of the person who answers; as it came, or a new one for an address that is not invited.
  package let attendee: CalendarLine
  package let from: [UInt8]
  package let organizer: [UInt8]
  package let questions: [AnswerQuestion]

  /// Decides.
  ///
  /// - Throws: why there is no answer.
  package init(_ facts: AnswerFacts) throws(AnswerRefusal) {
    let invitation = facts.invitation
    guard invitation.method == .request else {
      throw .notRequest(invitation.method.octets)
    }
    guard invitation.isMethodCertain else { throw .uncertainMethod }
    guard let organizer = invitation.event.organizer?.address else { throw .noOrganizer }
    guard !Self.contains(organizer, facts.own) else { throw .isOrganizer }
    if let newer = facts.newer { throw .outdated(newer) }
    let person = try Self.person(facts)
    guard Self.contains(person.address, facts.sending) else { throw .cannotSend(person.address) }
    self.organizer = organizer
    from = person.address
    attendee = person.line ?? CalendarLine("ATTENDEE", Array("mailto:".utf8) + person.address)
    questions = Self.questions(facts, organizer, isInvited: person.line != nil)
  }

  private static func person(
    _ facts: AnswerFacts
  ) throws(AnswerRefusal) -> (address: [UInt8], line: CalendarLine?) {
    let invited = facts.invitation.event.attendees.compactMap { attendee in
      attendee.address.map { (address: $0, line: attendee.line) }
    }
    if let chosen = facts.chosen {
      guard contains(chosen, facts.own) else { throw .notOwn(chosen) }
      return invited.first { $0.address.equalsCaseless(chosen) }.map { ($0.address, $0.line) }
        ?? (chosen, nil)
    }
    let own = invited.filter { contains($0.address, facts.own) }
    let delivered = facts.delivered.lazy.compactMap { address in
      own.first { $0.address.equalsCaseless(address) }
    }.first
    guard let person = delivered ?? own.first else { throw .notInvited }
    return (person.address, person.line)
  }

  private static func questions(
    _ facts: AnswerFacts,
    _ organizer: [UInt8],
    isInvited: Bool
  ) -> [AnswerQuestion] {
    let domain = organizer.split(separator: ASCII.at).last ?? []
    let isOfDomain = facts.authors.contains { author in
      (author.split(separator: ASCII.at).last ?? []).equalsCaseless(domain)
    }
    let asked: [(AnswerQuestion, Bool)] = [
      (.isOver, facts.isOver), (.repeated, facts.isRepeated), (.uninvited, !isInvited),
      (.otherDomain, !isOfDomain),
      (.disowned, facts.isDisowned),
    ]
    return asked.filter(\.1).map(\.0)
  }

  /// Whether an address is one of others, in letters of either case, with a tag behind a plus sign or not.
  private static func contains(_ address: [UInt8], _ addresses: [[UInt8]]) -> Bool {
    let plain = withoutTag(address)
    return addresses.contains { $0.equalsCaseless(address) || $0.equalsCaseless(plain) }
  }

  private static func withoutTag(_ address: [UInt8]) -> [UInt8] {
    guard let at = address.lastIndex(of: ASCII.at),
      let plus = address[..<at].firstIndex(of: ASCII.plus), plus > 0
    else { return address }
    return [UInt8](address[..<plus] + address[at...])
  }
}
