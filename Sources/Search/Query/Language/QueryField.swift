internal import Octets

/// The words that may stand before a colon in a query.
enum QueryField: Hashable {
  case text([TextField])
  case exact(ExactField)
  case date
  case size
  case revision
  /// A query by its name.
  case named
  /// The threads of a message, by its id.
  case related

  /// The field of a name; nil where the name means nothing.
  static func named(_ name: String) -> QueryField? { names[name] }

  static var allNames: some Sequence<String> { names.keys }

  /// Fields of the same key, side by side, are alternatives, as they are in notmuch; nil: all are meant.
  func alternatives(_ name: String) -> String? {
    switch self {
    case .text(let fields): fields == [.from] || fields == [.subject] ? name : nil
    case .exact, .date, .size, .revision, .related: name
    case .named: nil
    }
  }

  /// What a regular expression in this field is held against; nil where there can be none.
  var pattern: PatternField? {
    switch self {
    case .text([.from]): .from
    case .text([.subject]): .subject
    case .exact(.id): .id
    case .exact(.folder): .folder
    case .exact(.path): .path
    case .exact(.tag): .tag
    default: nil
    }
  }

  /// Whether what begins with a slash is a regular expression, and no path.
  var isPatternAlone: Bool {
    switch self {
    case .text([.from]), .text([.subject]), .exact(.tag): true
    default: false
    }
  }

  /// Fields of notmuch's that are none here.
  ///
  /// Taken for words they would find nothing, and not say why.
  static let foreign: Set<String> = ["property", "sexp"]

  private static let names: [String: QueryField] = [
    "body": .text([.body]), "subject": .text([.subject]), "from": .text([.from]),
    "to": .text([.to]), "cc": .text([.cc]), "recip": .text([.to]),
    "contact": .text([.from, .to]), "attachment": .text([.attachment]),
    "link": .text([.link]), "url": .text([.link]),
    "tag": .exact(.tag), "is": .exact(.tag), "flag": .exact(.tag), "id": .exact(.id),
    "mid": .exact(.id), "msgid": .exact(.id), "thread": .exact(.thread),
    "folder": .exact(.folder), "maildir": .exact(.folder), "path": .exact(.path),
    "mimetype": .exact(.mimetype), "mime": .exact(.mimetype), "list": .exact(.list),
    "account": .exact(.account), "has": .exact(.has), "file": .exact(.file),
    "date": .date, "size": .size, "lastmod": .revision, "query": .named,
    "ref": .exact(.ref), "related": .related, "auth": .exact(.auth),
  ]
}

/// A property of a message that is there or not.
package enum ExactField: String, Hashable, Sendable, CaseIterable {
  /// A flag or a fact as a word: `unread`, `flagged`, `attachment`.
  case tag
  /// The Message-ID.
  case id
  /// The thread, as 16 hexadecimal digits.
  case thread
  /// The folder, alone.
  case folder
  /// The folder; with `/**` at its end also those below.
  case path
  /// The type of a part: `application/pdf`, `image`, `pdf`.
  case mimetype
  /// The id of a mailing list.
  case list
  case account
  /// Something it has: `attachment`, `signature`, `encryption`, `list`.
  case has
  /// The name of a file that it lies in.
  case file
  /// The Message-ID of a message that it refers to.
  case ref
  /// What the receiving server found out about its sender: `pass` or `fail`.
  case auth
}

/// What a regular expression can be held against.
package enum PatternField: String, Hashable, Sendable, CaseIterable {
  case from
  case subject
  /// The Message-ID.
  case id
  case folder
  /// The folders; another name for it, since whole paths are what it is used for.
  case path
  case tag
}

/// A part of a message that is searched by words.
package enum TextField: String, Hashable, Sendable, CaseIterable {
  /// The text, and that of text attachments and messages inside.
  case body
  case subject
  /// Names and addresses of the authors.
  case from
  /// Names and addresses of To, Cc and Bcc.
  case to
  /// Names and addresses of Cc and Bcc.
  case cc
  /// Those of To and Cc alone: for programs that must not find out who got a hidden copy.
  case openTo = "open-to"
  /// Those of Cc alone.
  case openCc = "open-cc"
  /// Those of Bcc alone.
  case bcc
  /// The names of attachments.
  case attachment
  /// The hosts that links lead to.
  case link
}

/// Ranges as queries have them: `from..to`.
enum RangeText {
  /// The texts on both sides of the dots, one of which may be empty; nil where there are no dots, or nothing else.
  static func bounds(of text: [UInt8]) -> (low: ArraySlice<UInt8>, high: ArraySlice<UInt8>)? {
    let dot = UInt8(ascii: ".")
    let dots = text.indices.dropLast().first { text[$0] == dot && text[$0 + 1] == dot }
    guard let dots, text.count > 2 else { return nil }
    return (text[..<dots], text[(dots + 2)...])
  }
}

/// What a message can have, as `has:` knows it.
package enum Feature: String, Hashable, Sendable, CaseIterable {
  /// Something to save.
  case attachment
  /// A signature over it.
  case signature
  /// Content that only its receivers can read.
  case encryption
  /// A mailing list it came through.
  case list
  /// An invitation or other entry of a calendar.
  case calendar
  /// A change to a program, as git sends them.
  case patch
  /// Attachments that are only on the server.
  case partial

  /// The feature of that name, in either case; nil where there is none.
  package init?(name: [UInt8]) {
    self.init(rawValue: String(decoding: name, as: UTF8.self).lowercased())
  }
}
