package import MIME
package import Octets
internal import Protection

/// A draft as a message, and back.
package enum DraftMessage {
  /// For what a message is made.
  package enum Purpose: Hashable, Sendable {
    /// It is sent.
    case sending
    /// It is kept, so that the draft can be read back from it.
    case keeping
  }

  private static let originName = [UInt8](ascii: "X-Magnum-Original")
  private static let protectionName = [UInt8](ascii: ProtectionPlan.draftField)
  private static let concernName = [UInt8](ascii: "X-Magnum-Concerns")
  private static let agentName = [UInt8](ascii: "X-Magnum-Agent")

  /// Whether a header says how the message is to be protected, as that of a draft does.
  package static func asksForProtection(_ header: Header) -> Bool {
    !protectionFields(header).isEmpty
      || header.fields.contains { $0.name.equalsCaseless(concernName) }
  }

  /// The fields that say how a message is to be protected, as people and this program write them.
  ///
  /// More than one is a mistake: which of them counts is not guessed.
  package static func protectionFields(_ header: Header) -> [HeaderField] {
    header.fields.filter {
      $0.name.equalsCaseless(protectionName) || $0.name.equalsCaseless("Protect")
    }
  }

  /// The message that a draft is.
  ///
  /// - Parameters:
  ///   - draft: the draft, with a sender and an id.
  ///   - parts: its attachments, read.
  ///   - date: when it is written.
  ///   - purpose: what it is for.
  /// - Returns: the message.
  package static func make(
    _ draft: Draft,
    _ parts: [OutgoingPart],
    date: MessageDate,
    for purpose: Purpose
  ) -> OutgoingMessage {
    var fields: [OutgoingField] = []
    let addresses: [(StaticString, [Address])] = [
      ("From", draft.from.map { [.mailbox($0)] } ?? []), ("To", draft.to), ("Cc", draft.cc),
      ("Bcc", draft.bcc), ("Reply-To", draft.replyTo),
    ]
    for (name, list) in addresses where !list.isEmpty {
      fields.append(OutgoingField([UInt8](ascii: name), addresses: list))
    }
    fields.append(OutgoingField([UInt8](ascii: "Subject"), text: draft.subject))
    fields.append(OutgoingField([UInt8](ascii: "Date"), words: [date.octets]))
    let ids: [(StaticString, [MessageID])] = [
      ("Message-ID", draft.messageID.map { [$0] } ?? []), ("In-Reply-To", draft.inReplyTo),
      ("References", draft.references),
    ]
    for (name, list) in ids where !list.isEmpty {
      fields.append(OutgoingField([UInt8](ascii: name), ids: list))
    }
    fields += draft.extra.map { OutgoingField($0.name, text: $0.value) }
    if purpose == .keeping {
      if let origin = draft.origin { fields.append(field(origin)) }
      if let protection = draft.protection { fields.append(field(protection)) }
      if let concern = concernField(draft) { fields.append(concern) }
      if let agent = draft.agent { fields.append(field(agent: agent)) }
    }
    return OutgoingMessage(fields: fields, parts: [.text(draft.text)] + parts)
  }

  /// The field that says what is done with another message.
  static func field(_ origin: Draft.Origin) -> OutgoingField {
    let id = [ASCII.lessThan] + origin.id.octets + [ASCII.greaterThan]
    return OutgoingField(originName, words: [[UInt8](origin.act.rawValue.utf8), id])
  }

  /// The field that says how a draft is protected when it is sent.
  package static func field(_ protection: DraftProtection) -> OutgoingField {
    OutgoingField(protectionName, text: protection.text)
  }

  /// The field that says which agent wrote a draft.
  package static func field(agent: [UInt8]) -> OutgoingField {
    OutgoingField(agentName, text: agent)
  }

  /// The field that keeps an encrypted draft from ever being one in clear text unasked; nil for other drafts.
  static func concernField(_ draft: Draft) -> OutgoingField? {
    guard draft.concernsEncrypted, draft.isEncrypted else { return nil }
    return OutgoingField(concernName, words: [[UInt8](ascii: "encrypted")])
  }

  /// The draft that a message is, also one that another program wrote.
  ///
  /// - Throws: `SourceError` where the message cannot be read.
  package static func read(
    _ content: StreamedMessage,
    _ decoder: CharsetDecoder
  ) throws(SourceError) -> Draft {
    let header = content.message.header
    var draft = Draft()
    draft.from = header.mailboxes("From", decoder).first
    draft.to = header.addresses("To", decoder)
    draft.cc = header.addresses("Cc", decoder)
    draft.bcc = header.addresses("Bcc", decoder)
    draft.replyTo = header.addresses("Reply-To", decoder)
    draft.subject = header.text("Subject", decoder) ?? []
    draft.messageID = header.messageID
    draft.inReplyTo = header.inReplyTo
    draft.references = header.references
    draft.extra = header.fields.compactMap { field in
      field.name.isEmpty ? nil : Draft.ExtraField([UInt8](field.name), field.text(decoder))
    }
    draft.origin = origin(header)
    draft.protection = protection(header)
    draft.agent = agent(header)
    draft.concernsEncrypted = header.fields.contains { $0.name.equalsCaseless(concernName) }
    let texts = content.message.bodies().compactMap { $0.plainText(decoder) }
    draft.text = [UInt8](texts.joined(separator: [ASCII.lineFeed]))
    draft.attachments = try kept(content.message.attachments, of: content, decoder)
    return draft
  }

  /// Parts of a message as attachments of a draft.
  static func kept(
    _ parts: [Part],
    of content: StreamedMessage,
    _ decoder: CharsetDecoder
  ) throws(SourceError) -> [DraftAttachment] {
    var kept: [DraftAttachment] = []
    for part in parts {
      let name = part.fileName(decoder) ?? AttachmentName.made(of: part)
      kept += try OutgoingPart.kept(part, of: content, decoder)
        .map { DraftAttachment.part($0, name: name) }
    }
    return kept
  }

  /// The agent that wrote a draft with that header; nil for a person.
  ///
  /// The field is not sent.
  package static func agent(_ header: Header) -> [UInt8]? {
    header.fields.first { $0.name.equalsCaseless(agentName) }?.body
  }

  /// What the field says; what it does not say right, or twice, is asked for as a whole.
  private static func protection(_ header: Header) -> DraftProtection? {
    let fields = header.fields.filter { $0.name.equalsCaseless(protectionName) }
    guard let field = fields.first else { return nil }
    let all = DraftProtection(signs: true, encrypts: true)
    return fields.count == 1 ? DraftProtection(text: field.body) ?? all : all
  }

  private static func origin(_ header: Header) -> Draft.Origin? {
    guard let field = header.fields.first(where: { $0.name.equalsCaseless(originName) }),
      let id = MessageID.list(field.body).first
    else { return nil }
    let word = field.body.prefix { $0 != ASCII.space }
    return Draft.Origin.Act(rawValue: String(decoding: word, as: UTF8.self))
      .map { Draft.Origin($0, id) }
  }
}

/// Names of files for parts that have none.
package enum AttachmentName {
  /// `part-2.png` for a picture that is part 2.
  package static func made(of part: Part) -> [UInt8] {
    let number = part.section?.description ?? "0"
    let part = part.external ?? part
    let type = FileType(part.contentType.octets) ?? .unknown
    let ending = part.kind == .message ? "eml" : type.ending ?? "bin"
    return [UInt8]("part-\(number).\(ending)".utf8)
  }
}
