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
    "ref": .exact(.ref), "related": .related,
  ]
}
