internal import Correspondence
internal import MIME
internal import Octets
internal import Terminal

/// The fields of a header that JSON has.
enum ShownHeaders {
  /// Those that are there though the mail lacks them, since programs rely on them.
  private static let always: [StaticString] = ["Subject", "From", "Date"]

  private static let names: [StaticString] = [
    "Subject", "From", "To", "Cc", "Bcc", "Reply-To", "Date", "Message-ID", "In-Reply-To",
    "References", "List-Id",
  ]

  static func json(_ header: Header, _ decoder: CharsetDecoder) -> JSONLine {
    var line = JSONLine()
    for name in names {
      if let value = value(name, header, decoder) {
        line.add("\(name)", octets: value)
      } else if always.contains(where: { "\($0)" == "\(name)" }) {
        line.add("\(name)", "")
      }
    }
    return line
  }

  /// The fields that may be there several times, and name people.
  private static let addressed: [StaticString] = ["From", "To", "Cc", "Bcc", "Reply-To"]

  /// The value of a field for people; of one that names people, all fields of that name together, each name in quotation marks
  /// where it could be taken for more than a name; nil where there is none.
  static func value(
    _ name: StaticString,
    _ header: Header,
    _ decoder: CharsetDecoder
  ) -> [UInt8]? {
    guard let first = header.first(name) else { return nil }
    guard addressed.contains(where: { "\($0)" == "\(name)" }) else { return first.text(decoder) }
    let people = AddressText.text(header.addresses(name, decoder))
    return people.isEmpty ? first.text(decoder) : people
  }
}
