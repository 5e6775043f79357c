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
      if let value = AddressText.value(name, of: header, decoder) {
        line.add("\(name)", octets: value)
      } else if always.contains(where: { "\($0)" == "\(name)" }) {
        line.add("\(name)", "")
      }
    }
    return line
  }
}
