internal import Configuration
internal import Octets
internal import Platform
internal import SMTP
internal import Sendmail
internal import SpoolPlan

/// A message as a program gets it: arguments, and octets on standard input.
struct ProgramMessage {
  /// The program and its arguments.
  let arguments: [String]
  /// The message, lines ended by LF.
  let octets: any OctetSource
  /// From whom and to whom.
  let envelope: Envelope

  /// Why a message cannot be given to the program at all.
  enum Refusal: Error, Hashable {
    /// The program would read recipients from fields that may mean an earlier sending.
    case resent
    /// An address is only in the fields of the message, or only in its envelope.
    case otherRecipients([UInt8])
    /// The sender could be read as an option.
    case sender([UInt8])
    /// The header is none.
    case header
  }

  /// Makes the arguments and the octets for a program.
  ///
  /// - Parameters:
  ///   - sending: from whom and to whom, these recipients alone.
  ///   - message: the message of the entry.
  ///   - program: what takes it.
  /// - Throws: why it gets none.
  init(
    _ sending: Sending,
    _ message: any OctetSource,
    for program: SendProgram
  ) throws(Refusal) {
    guard var letter = try? Letter(message) else { throw .header }
    let sender = sending.envelope.reversePath?.octets
    if let sender, sender.first == ASCII.minus, program.hasBareSender { throw .sender(sender) }
    if program.recipients == .header {
      guard !letter.isResent else { throw .resent }
      let recipients = sending.envelope.recipients.map(\.address)
      if let other = letter.firstDifference(from: recipients, hidden: sending.blindCopies) {
        throw .otherRecipients(other)
      }
      letter = letter.withBlindCopies(sending.blindCopies)
    }
    // Whether the program takes more than ASCII is unknown.
    envelope = sending.envelope.fit(for: Extensions(), InternationalDomain.asciiForm)
    let plain =
      envelope.isInternational ? nil : letter.withASCIIHeader(InternationalDomain.asciiForm)
    octets = plain ?? letter.octets
    arguments = program.arguments(
      sender: envelope.reversePath.map { Self.text($0) },
      recipients: envelope.recipients.map { Self.text($0.address) }
    )
  }

  private static func text(_ address: EnvelopeAddress) -> String {
    String(decoding: address.octets, as: UTF8.self)
  }

  /// What it is sent without.
  var lacking: Set<Shortfall> { envelope.wantsDSN ? [.dsn] : [] }
}

extension ProgramMessage.Refusal {
  /// Why it is refused, in words.
  var words: String {
    switch self {
    case .resent:
      "send-command reads the recipients from the header, and that of a resent message names others"
    case .otherRecipients(let address):
      "send-command reads the recipients from the header, and "
        + "\(Printable.text(address, limit: 100)) is not in both the header and the envelope"
    case .sender(let address):
      "send-command would read the sender \(Printable.text(address, limit: 100)) as an option"
    case .header: "send-command gets no message without a header"
    }
  }
}
