internal import Octets
internal import SMTP

/// Why a message cannot be offered to a server, in words.
enum EnvelopeWords {
  static func text(_ error: EnvelopeError) -> String {
    switch error {
    case .noRecipients: "no recipients"
    case .tooManyRecipients(let count, let limit):
      "\(count) recipients are more than the \(limit) that the server takes"
    case .tooLarge(let size, let limit):
      "the message has \(size) octets and the server takes \(limit)"
    case .headerNotUTF8(let address):
      "\(Printable.text(address.octets)) needs SMTPUTF8, and the header of the message is not UTF-8"
    case .needsSMTPUTF8(let address) where address.isInternationalInDomainOnly:
      "the server does not offer SMTPUTF8, and the domain of \(Printable.text(address.octets)) has no form in ASCII "
        + "that is known here; if it is right, write it as xn--…"
    case .needsSMTPUTF8(let address):
      "the server does not offer SMTPUTF8, which \(Printable.text(address.octets)) needs"
    }
  }
}
