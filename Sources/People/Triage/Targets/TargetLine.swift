internal import MailModel
internal import Correspondence
internal import Octets
internal import Platform
internal import Query

/// What a line of standard input names: a file, or one message or thread alone.
///
/// No other query is taken from there: what programs print about messages holds what their authors wrote, which would say
/// what else is meant.
enum TargetLine {
  case file(MessageFile)
  /// A term of a query, as text.
  case term(String)

  /// Takes a line; `parse` makes a query of it.
  ///
  /// - Throws: that it names neither.
  init(_ line: [UInt8], parse: (String) throws(Explanation) -> Query) throws(Explanation) {
    if let file = MessageFile(named: Path(line)) {
      self = .file(file)
      return
    }
    let text = String(decoding: line, as: UTF8.self)
    guard Self.isAlone(line), let query = try? parse(text), Self.isName(query) else {
      throw Explanation(
        .data,
        place: Printable.text(line, limit: 100),
        "a line of standard input is to be a file, or id: or thread: alone; nothing is changed",
        hint: "magnum-search prints such lines with --output=files, messages or threads"
      )
    }
    self = .term(text)
  }

  private static func isName(_ query: Query) -> Bool {
    switch query {
    case .exact(.id, _), .exact(.thread, _): true
    default: false
    }
  }

  /// Whether nothing follows on a term, which may be in quotation marks behind its colon.
  private static func isAlone(_ line: [UInt8]) -> Bool {
    let start = line.prefix { $0 != ASCII.quote }
    guard !start.contains(where: { $0 <= ASCII.space }) else { return false }
    return start.count == line.count || start.last == ASCII.colon && line.last == ASCII.quote
  }
}
