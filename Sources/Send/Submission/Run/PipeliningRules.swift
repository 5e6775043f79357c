package import SMTP

/// How many messages may be on their way to a server at once, and in which form.
package struct PipeliningRules: Sendable {
  /// What was seen of the server in this run.
  package enum Experience: Hashable, Sendable {
    /// Nothing yet.
    case none
    /// It has answered commands that came behind the end of a message.
    case kept
    /// The conversation broke off over messages that went together.
    case lost
    /// It never answered commands that came behind the end of a message: it may throw away what comes there.
    case broken
  }

  /// The most messages of which it may be unknown at once whether the server has them.
  package static let uncertainLimit = 8

  /// The longest message that goes together with others, in octets: longer ones gain nothing.
  package static let sizeLimit: UInt64 = 64 << 10

  /// The longest message that is looked at before its turn, in octets.
  package static let lookaheadLimit = 1 << 20

  private let extensions: Extensions
  private let experience: Experience
  private let asksAboutUncertain: Bool
  private let mayBeOutOfStep: Bool

  /// - Parameters:
  ///   - extensions: what the server offers.
  ///   - experience: what was seen of it.
  ///   - asksAboutUncertain: whether a message that the server may have or not waits for a person.
  ///   - mayBeOutOfStep: whether its next replies may be meant for the message before.
  package init(
    _ extensions: Extensions,
    _ experience: Experience,
    asksAboutUncertain: Bool,
    mayBeOutOfStep: Bool
  ) {
    self.extensions = extensions
    self.experience = experience
    self.asksAboutUncertain = asksAboutUncertain
    self.mayBeOutOfStep = mayBeOutOfStep
  }

  /// Whether the commands of the next message may go behind the end of a message.
  ///
  /// One message at a time is uncertain all the same: the text of the next one waits for the answer.
  package var announces: Bool { extensions.hasPipelining && experience != .broken }

  /// How many messages may go together, with their texts.
  ///
  /// A person who is asked about uncertain messages has one to decide about. And the server has to be one that reads behind
  /// the end of a message, and whose replies are in step: where all are positive, nothing would show that they are not.
  package var flightLimit: Int {
    let isFit = extensions.hasChunking && extensions.hasPipelining && experience == .kept
    return isFit && !asksAboutUncertain && !mayBeOutOfStep ? Self.uncertainLimit : 1
  }

  /// Whether a message may go together with others.
  ///
  /// A server may answer once for each recipient (RFC 2033): that would be taken for answers to the next messages.
  package func takesIntoFlight(size: UInt64, recipientCount: Int) -> Bool {
    recipientCount == 1 && size <= Self.sizeLimit
  }
}
