internal import CommandLine
internal import Configuration
internal import Correspondence
internal import Glibc
internal import GnuPG
internal import MIME
internal import MailModel
internal import Octets
internal import Platform

/// Makes a draft again of a message that was signed or encrypted when it went into the queue.
struct DraftUncovering {
  private let configuration: Configuration
  private let account: String
  private let context: CommandContext
  /// The agent that wrote the message, as whose draft it is marked; nil for a person.
  var agent: [UInt8]?
  private let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  init(_ configuration: Configuration, _ account: String, _ context: CommandContext) {
    (self.configuration, self.account, self.context) = (configuration, account, context)
  }

  /// The draft: of a signed message without the signature, of an encrypted one encrypted to oneself; any other as it is.
  ///
  /// - Throws: that it cannot be decrypted now, or not be kept encrypted.
  func draft(of message: any OctetSource) throws(Explanation) -> any OctetSource {
    let streamed = try explaining(.noInput) { () throws(SourceError) in
      try StreamedMessage(reading: message)
    }
    let mark = agent.map { DraftMessage.field(agent: $0).octets } ?? []
    guard MessageEnvelope(of: streamed.message) != .clear else {
      let text = try withoutHTML(streamed)
      return JoinedOctets([mark, text ?? message])
    }
    let octets = try explaining(.noInput) { () throws(SourceError) in try message.whole() }
    guard let uncovered = try uncovered(Message(octets)) else {
      return JoinedOctets([mark, message])
    }
    guard uncovered.protection.encrypts else {
      let fields = mark + DraftMessage.field(uncovered.protection).octets
      let text = try withoutHTML(StreamedMessage(Message(uncovered.octets)))
      return JoinedOctets([fields, text ?? uncovered.octets])
    }
    return try concealed(uncovered)
  }

  /// A message without the HTML that was made of its text; nil where it has none.
  private func withoutHTML(_ content: StreamedMessage) throws(Explanation) -> (any OctetSource)? {
    try explaining(.noInput) { () throws(SourceError) in
      guard let text = try TextMessage(content, decoder), text.hadHTML else { return nil }
      return try text.octets()
    }
  }

  private func uncovered(_ message: Message) throws(Explanation) -> UncoveredMessage? {
    let tools = GnuPG(for: context)
    tools.beginMessage()
    do throws(SecretDraft.Failure) {
      return try UncoveredMessage(message, decoder) { tools.answer($0) }
    } catch {
      var explanation = error.explanation
      explanation.what = "not cancelled: " + explanation.what
      explanation.status = .refused
      throw explanation
    }
  }

  private func concealed(_ message: UncoveredMessage) throws(Explanation) -> any OctetSource {
    var content = StreamedMessage(Message(message.octets))
    if let octets = try withoutHTML(content) {
      content = try explaining(.noInput) { () throws(SourceError) in
        try StreamedMessage(reading: octets)
      }
    }
    let texts = content.message.bodies() + content.message.bodies(preferring: .html)
    guard !texts.contains(where: \.contentType.isHTML) else {
      throw Explanation(
        .data,
        "not cancelled: the message has a text in HTML, which a draft would lose",
        hint: "magnum queue hold keeps it from being sent"
      )
    }
    guard let sender = configuration.sender(named: account) else {
      throw Explanation(.configuration, place: account, "the account cannot send any longer")
    }
    var draft = try explaining(.noInput) { () throws(SourceError) in
      try DraftMessage.read(content, decoder)
    }
    draft.protection = message.protection
    draft.agent = agent
    // What was sent does not say whether it answers an encrypted message.
    draft.concernsEncrypted = true
    let dispatch = Dispatch(sender, configuration, user: geteuid())
    let protection = ComposeProtection(sender, dispatch, context)
    draft = try dispatch.completed(draft)
    return try dispatch.message(draft, for: .keeping, try protection.keeping(draft))
  }
}
