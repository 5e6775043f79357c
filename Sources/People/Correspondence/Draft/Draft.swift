package import MIME
internal import Octets
package import Platform

/// A message that a person writes: what is said about it, its text, and what is attached.
package struct Draft: Sendable {
  /// What is done with another message by sending this one.
  package struct Origin: Hashable, Sendable {
    /// What is done with it.
    package enum Act: String, Hashable, Sendable {
      case answered, forwarded
    }

    /// What is done.
    package let act: Act
    /// The other message.
    package let id: MessageID

    package init(_ act: Act, _ id: MessageID) {
      self.act = act
      self.id = id
    }
  }

  /// A field that is neither of those below nor one that says how the message is written.
  package struct ExtraField: Hashable, Sendable {
    package let name: [UInt8]
    /// The value in UTF-8.
    package let value: [UInt8]

    /// A field; nil where the name cannot be one, or is one that a person does not set.
    package init?(_ name: [UInt8], _ value: [UInt8]) {
      guard FieldNames.isFree(name) else { return nil }
      self.name = name
      self.value = value
    }
  }

  /// The sender as it is written; nil for the account's.
  package var from: Mailbox?
  /// To whom it goes.
  package var to: [Address] = []
  /// Who gets a copy.
  package var cc: [Address] = []
  /// Who gets a copy that others do not see.
  package var bcc: [Address] = []
  /// Where answers are to go; empty for the sender.
  package var replyTo: [Address] = []
  /// The subject in UTF-8.
  package var subject: [UInt8] = []
  /// The message that it answers.
  package var inReplyTo: [MessageID] = []
  /// The conversation that it belongs to.
  package var references: [MessageID] = []
  /// Other fields.
  package var extra: [ExtraField] = []
  /// The agent that wrote it; nil for a person.
  package var agent: [UInt8]?
  /// The text in UTF-8, with LF line ends.
  package var text: [UInt8] = []
  /// What goes with the text.
  package var attachments: [DraftAttachment] = []
  /// The id, which all versions of a draft have; nil before it got one.
  package var messageID: MessageID?
  /// What is done with another message once it is in the queue.
  package var origin: Origin?
  /// Whether it is signed and encrypted; nil where nothing was said, and neither is done.
  package var protection: DraftProtection?
  /// Whether it answers or passes on an encrypted message, or was in the queue encrypted, so that it may hold text of one.
  package var concernsEncrypted = false

  /// An empty draft.
  package init() {}

  /// Whether it is encrypted, so that no other may read it meanwhile.
  package var isEncrypted: Bool { protection?.encrypts ?? false }

  /// Whether it has a recipient.
  package var hasRecipients: Bool { !(to + cc + bcc).flatMap(\.mailboxes).isEmpty }
}

/// The names of fields by who sets them.
enum FieldNames {
  /// Fields that the program writes itself, or that say what happened to a message on its way.
  private static let reserved: [StaticString] = [
    "From", "To", "Cc", "Bcc", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To",
    "References", "MIME-Version", "Received", "Return-Path", "Delivered-To", "X-Original-To",
    "Envelope-To", "DKIM-Signature", "Authentication-Results", "Status", "X-Status", "Lines",
    "Attach", "Attached", "Protect", "HP-Outer",
  ]

  /// Whether a person may set a field of that name to any text.
  static func isFree(_ name: [UInt8]) -> Bool {
    guard !name.isEmpty, name.count <= 70,
      name.allSatisfy({ (0x21...0x7E).contains($0) && $0 != ASCII.colon })
    else { return false }
    return !reserved.contains { name.equalsCaseless($0) }
      && !["content-", "resent-", "x-magnum-", "arc-", "received-"].contains {
        name.startsCaseless(with: $0)
      }
  }
}

/// Something that goes with the text of a draft.
package enum DraftAttachment: Sendable {
  /// A file of this machine; read when the message is made.
  case file(AttachedFile)
  /// A part of another message, or such a message itself.
  case part(OutgoingPart, name: [UInt8])

  /// The name that readers see, in UTF-8.
  package var name: [UInt8] {
    switch self {
    case .file(let file): file.name
    case .part(_, let name): name
    }
  }

  /// By which HTML shows it; nil for what is only attached.
  package var contentID: MessageID? {
    switch self {
    case .file(let file): file.contentID
    case .part(let part, _): part.contentID
    }
  }

  /// About how many octets it has.
  package var size: Int {
    switch self {
    case .file(let file): file.size
    case .part(let part, _): part.size
    }
  }

  /// Whether it is named as a public key of OpenPGP is that this program attaches.
  package var mayBePublicKey: Bool {
    path == nil && name.starts(with: MessageProtector.keyNameStart)
  }

  /// The file; nil for a part of another message.
  package var path: Path? {
    if case .file(let file) = self { file.path } else { nil }
  }
}

/// A file that is to be attached.
package struct AttachedFile: Hashable, Sendable {
  /// Where it is; absolute.
  package let path: Path
  /// The name that readers see, in UTF-8.
  package let name: [UInt8]
  /// Its media type.
  package let type: FileType
  /// By which HTML shows it; nil for an attachment.
  package let contentID: MessageID?
  /// How many octets it had when it was named.
  package let size: Int

  /// The same file, as HTML shows it by an id.
  func shown(as id: MessageID?) -> AttachedFile {
    AttachedFile(path: path, name: name, type: type, contentID: id, size: size)
  }
}

extension [DraftAttachment] {
  /// Those that HTML may show.
  package var pictures: [OutgoingHTML.Picture] {
    compactMap { attachment in
      attachment.contentID.map { OutgoingHTML.Picture(name: attachment.name, id: $0) }
    }
  }
}
