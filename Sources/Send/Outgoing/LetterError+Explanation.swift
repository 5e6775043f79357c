package import MailModel
internal import Octets
internal import Platform
package import Sendmail

extension LetterError: Explainable {
  /// Why a message cannot be sent, and what to do about it.
  package var explanation: Explanation {
    switch self {
    case .noRecipients:
      Explanation(
        .usage,
        "no recipients",
        hint: "name recipients, or give -t and a message with a field To, Cc or Bcc"
      )
    case .unknownNames(let names):
      Explanation(
        .noUser,
        "no alias for \(names.map(Self.shown).joined(separator: ", "))",
        hint: "put a line \"NAME: ADDRESS\" or \"default: ADDRESS\" into the file \"aliases\" "
          + "beside the configuration"
      )
    case .discarded: Explanation(.noUser, "aliases discard it")
    case .badAlias(let place, let text):
      Explanation(
        .configuration,
        place: place.display,
        "\"\(Self.shown(text))\" is no address that can be sent to"
      )
    case .badList(let place, let list, let problem):
      Explanation(problem, in: list, includedAt: place)
    case .severalMessages(let line):
      Explanation(
        .data,
        "there are several messages in one: another begins in line \(line)",
        hint:
          "git send-email sends each; or: git format-patch -o DIR, then magnum-send for each file"
      )
    case .unreadable(let error): Explanation(.noInput, error.description)
    default: Explanation(.data, what)
    }
  }

  private var what: String {
    switch self {
    case .forbiddenOctet(0, let line): "line \(line) of the header holds a NUL"
    case .forbiddenOctet(_, let line): "line \(line) of the header holds a CR without LF"
    case .unfitBody(let line):
      "line \(line) holds a CR without LF, a NUL, or more than 998 octets, and cannot be changed"
    case .badAddress(let octets): "\"\(Self.shown(octets))\" is no address that can be sent to"
    case .aliasLoop(let name): "the alias \(Self.shown(name)) leads to itself, or to too many names"
    case .unknownNames, .noRecipients, .discarded, .badAlias, .badList, .unreadable,
      .severalMessages:
      ""
    }
  }

  private static func shown(_ octets: [UInt8]) -> String { Printable.text(octets, limit: 100) }
}
