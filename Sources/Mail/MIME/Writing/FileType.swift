internal import Octets

/// The media type of a file (RFC 2045 §5).
package struct FileType: Hashable, Sendable {
  /// `type/subtype` in small letters.
  package let octets: [UInt8]

  /// The type that a text such as `image/png` names; nil where it names none.
  package init?(_ text: [UInt8]) {
    guard let type = ContentType(text), type.octets.elementsEqual(text.map(ASCII.lowercased)),
      !type.isType("multipart")
    else { return nil }
    octets = type.octets
  }

  private init(known text: String) {
    octets = [UInt8](text.utf8)
  }

  /// Octets of which nothing is known.
  package static let unknown = FileType(known: "application/octet-stream")

  /// A whole message.
  package static let message = FileType(known: "message/rfc822")

  /// Whether it has letters, digits and `.+-_` only, as all types that are registered: a program that gives it to a shell, or
  /// takes it for a pattern, finds nothing else in it.
  package var isPlain: Bool {
    octets.allSatisfy { octet in
      switch octet {
      case ASCII.slash, ASCII.dot, ASCII.plus, ASCII.minus, ASCII.underscore: true
      default: ASCII.isLetter(octet) || ASCII.isDigit(octet)
      }
    }
  }

  /// Whether it is a file of text, so that people read it in a mail program.
  var isText: Bool { octets.starts(with: "text/".utf8) }

  /// The type of a file by the ending of its name; nil where that is not a common one.
  package static func of(name: [UInt8]) -> FileType? {
    guard let ending = ending(of: name) else { return nil }
    return table[ending].map { FileType(known: $0) }
  }

  /// What follows the last dot of a name, in small letters; nil where there is none.
  package static func ending(of name: [UInt8]) -> String? {
    guard let dot = name.lastIndex(of: ASCII.dot), dot > 0, dot + 1 < name.count else { return nil }
    return String(decoding: name[(dot + 1)...].map(ASCII.lowercased), as: UTF8.self)
  }

  /// The usual ending of the name of a file of this type; nil where there is none.
  package var ending: String? {
    let text = String(decoding: octets, as: UTF8.self)
    if text == "text/plain" { return "txt" }
    // Of several the shortest, then the first: always the same one.
    return Self.table.filter { $0.value == text }.map(\.key)
      .min { ($0.count, $0) < ($1.count, $1) }
  }

  /// The common types by the ending of the name, as IANA registers them.
  private static let table: [String: String] = [
    "7z": "application/x-7z-compressed", "avif": "image/avif", "bmp": "image/bmp",
    "bz2": "application/x-bzip2", "c": "text/x-csrc", "conf": "text/plain",
    "css": "text/css", "csv": "text/csv", "diff": "text/x-diff",
    "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "eml": "message/rfc822", "epub": "application/epub+zip", "flac": "audio/flac",
    "gif": "image/gif",
    "gz": "application/gzip", "heic": "image/heic", "htm": "text/html", "html": "text/html",
    "ics": "text/calendar", "jpeg": "image/jpeg", "jpg": "image/jpeg",
    "json": "application/json", "log": "text/plain", "m4a": "audio/mp4", "md": "text/markdown",
    "mkv": "video/x-matroska", "mov": "video/quicktime", "mp3": "audio/mpeg",
    "mp4": "video/mp4", "odp": "application/vnd.oasis.opendocument.presentation",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "odt": "application/vnd.oasis.opendocument.text", "ogg": "audio/ogg", "opus": "audio/opus",
    "patch": "text/x-diff", "pdf": "application/pdf", "pgp": "application/pgp-encrypted",
    "png": "image/png", "ppt": "application/vnd.ms-powerpoint",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "ps": "application/postscript", "py": "text/x-python", "rtf": "application/rtf",
    "sh": "text/x-shellscript", "svg": "image/svg+xml", "swift": "text/x-swift",
    "tar": "application/x-tar", "tex": "text/x-tex", "tif": "image/tiff", "tiff": "image/tiff",
    "toml": "application/toml", "txt": "text/plain", "vcf": "text/vcard", "wav": "audio/wav",
    "webm": "video/webm", "webp": "image/webp", "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "xml": "application/xml", "xz": "application/x-xz", "yaml": "application/yaml",
    "yml": "application/yaml", "zip": "application/zip", "zst": "application/zstd",
  ]
}
