package import JSON
internal import Octets

/// A draft as a program asks for one, in JSON.
package struct DraftRequest: Sendable {
  /// What is to become of the draft.
  package enum End: String, CaseIterable, Sendable {
    case draft, send, hold
  }

  /// A file to attach.
  package struct File: Hashable, Sendable {
    package let path: String
    /// The name that readers see; nil for that of the file.
    package let name: String?
    /// The media type; nil to tell it by the name.
    package let type: String?
    /// By which HTML shows it; nil for an attachment.
    package let contentID: String?
  }

  /// Why the JSON is no draft: what, and in which member.
  package struct Problem: Error, Hashable, Sendable {
    /// What is wrong.
    package let what: String

    package init(what: String) {
      self.what = what
    }
  }

  /// The account to send with.
  package private(set) var account: String?
  /// The address to send from.
  package private(set) var from: String?
  /// To whom it goes.
  package private(set) var to: [String] = []
  /// Who gets a copy.
  package private(set) var cc: [String] = []
  /// Who gets a copy that others do not see.
  package private(set) var bcc: [String] = []
  package private(set) var subject: String?
  package private(set) var text: String?
  /// The text as HTML, ready-made.
  package private(set) var html: [UInt8]?
  /// The message that it answers: a file, an id or a query.
  package private(set) var inReplyTo: String?
  /// Whether the message that it answers is quoted above the text.
  package private(set) var quotes = true
  /// Whether that was said, and not only taken to be so.
  package private(set) var saysToQuote = false
  /// What is attached.
  package private(set) var files: [File] = []
  /// More fields.
  package private(set) var headers: [(name: String, value: String)] = []
  /// How it is protected; nil for as the account has it.
  package private(set) var protection: DraftProtection?
  /// Whether the text may be that of an encrypted message, as a template says of itself.
  package private(set) var concernsEncrypted = false
  /// Not before this moment, as `--at` has it; nil for at once.
  package private(set) var at: String?
  /// What becomes of it; nil where an option says so.
  package private(set) var end: End?

  private static let version = "1"

  /// The draft that a value asks for; every member is known and of the right kind.
  ///
  /// - Throws: `Problem`.
  package init(_ value: JSONValue) throws(Problem) {
    for (name, value) in try Self.members(value, "the draft") {
      switch name {
      case "version":
        guard value == .number(Self.version) else { throw Problem(what: "version is not 1") }
      case "account": account = try Self.optionalText(value, name)
      case "from": from = try Self.optionalText(value, name)
      case "to": to = try Self.texts(value, name)
      case "cc": cc = try Self.texts(value, name)
      case "bcc": bcc = try Self.texts(value, name)
      case "subject": subject = try Self.optionalText(value, name)
      case "text": text = try Self.optionalText(value, name)
      case "html":
        html = try Self.optionalText(value, name).map { [UInt8]($0.utf8) }
        guard (html?.count ?? 0) <= HTMLWish.limit else {
          throw Problem(what: "html has more than \(HTMLWish.limit >> 20) MiB")
        }
      case "in-reply-to": inReplyTo = try Self.optionalText(value, name)
      case "quote": (quotes, saysToQuote) = (try Self.flag(value, name), true)
      case "attachments": files = try Self.files(value)
      case "headers": headers = try Self.headers(value)
      case "protect":
        guard let protection = DraftProtection(words: try Self.texts(value, name)) else {
          throw Problem(what: "protect holds other words than: sign, encrypt, if-possible")
        }
        self.protection = protection
      case "concerns":
        guard value == .string("encrypted") else {
          throw Problem(what: "concerns is not encrypted")
        }
        concernsEncrypted = true
      case "at": at = try Self.optionalText(value, name)
      case "then":
        let word = try Self.text(value, name)
        guard let end = End(rawValue: word) else {
          throw Problem(what: "then is none of: draft, send, hold")
        }
        self.end = end
      default: throw Problem(what: "unknown member \"\(name)\"")
      }
    }
  }

  private static func members(
    _ value: JSONValue,
    _ place: String
  ) throws(Problem) -> [(name: String, value: JSONValue)] {
    guard case .object(let members) = value else { throw Problem(what: "\(place) is no object") }
    return members
  }

  private static func text(_ value: JSONValue, _ name: String) throws(Problem) -> String {
    guard case .string(let text) = value else { throw Problem(what: "\(name) is no text") }
    // Neither a message nor the name of a file can hold it.
    guard !text.utf8.contains(0) else { throw Problem(what: "there is a NUL in \(name)") }
    return text
  }

  private static func optionalText(
    _ value: JSONValue,
    _ name: String
  ) throws(Problem) -> String? {
    if case .null = value { return nil }
    return try text(value, name)
  }

  private static func texts(_ value: JSONValue, _ name: String) throws(Problem) -> [String] {
    if case .string = value { return [try text(value, name)] }
    guard case .array(let values) = value else {
      throw Problem(what: "\(name) is no array of texts")
    }
    var texts: [String] = []
    for value in values { texts.append(try text(value, name)) }
    return texts
  }

  private static func flag(_ value: JSONValue, _ name: String) throws(Problem) -> Bool {
    guard case .boolean(let flag) = value else {
      throw Problem(what: "\(name) is neither true nor false")
    }
    return flag
  }

  private static func headers(
    _ value: JSONValue
  ) throws(Problem) -> [(name: String, value: String)] {
    var headers: [(String, String)] = []
    for (name, value) in try members(value, "headers") {
      headers.append((name, try text(value, "headers: \(name)")))
    }
    return headers
  }

  private static func files(_ value: JSONValue) throws(Problem) -> [File] {
    guard case .array(let values) = value else { throw Problem(what: "attachments is no array") }
    var files: [File] = []
    for value in values {
      var found: [String: String] = [:]
      for (name, value) in try members(value, "an attachment") {
        guard ["path", "name", "type", "inline"].contains(name) else {
          throw Problem(what: "unknown member \"\(name)\" of an attachment")
        }
        found[name] = try optionalText(value, name)
      }
      guard let path = found["path"], !path.isEmpty else {
        let name = found["name"].map { " \"\(Printable.text($0.utf8, limit: 80))\"" } ?? ""
        throw Problem(what: "an attachment\(name) has no path")
      }
      files.append(
        File(path: path, name: found["name"], type: found["type"], contentID: found["inline"])
      )
    }
    return files
  }
}
