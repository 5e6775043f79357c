internal import Octets

/// What a server reports of a message that was sent.
///
/// It has the form of RFC 3464 and RFC 6522, or RFC 6533 for addresses beyond ASCII, or one of the forms of servers that have their
/// own. Who got the message can forge a report of it.
package struct DeliveryReport: Hashable, Sendable {
  /// The id of the message that was sent.
  package let messageID: MessageID

  /// What became of it; never empty.
  package let recipients: [ReportedRecipient]

  /// A report that names more recipients is not read.
  static let recipientLimit = 1000

  /// The report that a message is; nil where it is none, or does not name what was sent.
  ///
  /// A report inside another message is none.
  ///
  /// - Parameters:
  ///   - message: the message, or its first MiB.
  ///   - decoder: for charsets of texts.
  package init?(_ message: Message, _ decoder: CharsetDecoder) {
    let root = message.root
    let found: Found?
    if let status = Self.statusPart(of: root) {
      found = StatusFields(status).map { fields in
        Found(id: Self.returnedID(in: root) ?? fields.messageID, recipients: fields.recipients)
      }
    } else if Self.isOtherReport(root) {
      found = nil
    } else {
      found = PlainReport(of: message, decoder).map { plain in
        Found(id: Self.returnedID(in: root) ?? plain.messageID, recipients: plain.recipients)
      }
    }
    let named = root.header.first("X-Original-Message-ID").flatMap { MessageID($0.body) }
    guard let found, !found.recipients.isEmpty, found.recipients.count <= Self.recipientLimit,
      let id = found.id ?? named
    else { return nil }
    (messageID, recipients) = (id, found.recipients)
  }

  private struct Found {
    let id: MessageID?
    let recipients: [ReportedRecipient]
  }

  /// The part with the fields for programs, right below the root.
  private static func statusPart(of root: Part) -> Part? {
    guard root.kind == .multipart, !isOtherReport(root) else { return nil }
    return root.children.first { part in
      part.kind == .leaf
        && (part.contentType.isType("message", "delivery-status")
          || part.contentType.isType("message", "global-delivery-status"))
    }
  }

  /// Whether it is a report of something else, such as that a message was read.
  private static func isOtherReport(_ root: Part) -> Bool {
    guard root.contentType.isType("multipart", "report"),
      let type = root.contentType.parameters.octets("report-type")
    else { return false }
    return !type.equalsCaseless("delivery-status")
      && !type.equalsCaseless("global-delivery-status")
  }

  /// The id in the message that came back, or in its header; nil where neither did.
  private static func returnedID(in root: Part) -> MessageID? {
    for part in root.children {
      if let inside = part.messageInside {
        if let id = inside.header.messageID { return id }
      } else if isHeader(part.contentType) {
        if let id = Message(part.decoded).header.messageID { return id }
      }
    }
    return nil
  }

  private static func isHeader(_ type: ContentType) -> Bool {
    type.isType("text", "rfc822-headers") || type.isType("text", "rfc822-header")
      || type.isType("message", "global-headers") || type.isType("message", "rfc822-headers")
  }
}
