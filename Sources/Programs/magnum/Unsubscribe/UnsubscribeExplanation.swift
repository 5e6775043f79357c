internal import Login
internal import MailModel
internal import Octets
internal import Web

extension OneClick.Failure {
  /// For people and scripts: where, what, and what to do about it.
  func explanation(_ address: [UInt8]) -> Explanation {
    let place = Printable.text(address, limit: 300)
    switch self {
    case .refused(let refusal):
      return Explanation(.data, place: place, "the address is refused: \(refusal.text)")
    case .noAnswer(let failure):
      return Explanation(
        failure.isTemporary ? .tryAgain : .unavailable,
        place: place,
        "not unsubscribed: \(failure.text)",
        hint: failure.hint
      )
    case .status(let status):
      let isRedirect = (300...399).contains(status)
      return Explanation(
        .unavailable,
        place: place,
        isRedirect
          ? "not unsubscribed: the server answers with a redirect (\(status)), which is not followed"
          : "not unsubscribed: the server answers with the status \(status)",
        hint: "a browser may show why"
      )
    }
  }
}

extension OneClickRequest.Refusal {
  /// In one line.
  var text: String {
    switch self {
    case .malformed(let problem):
      switch problem {
      case .notHTTPS: "it does not begin with https://"
      case .hasUser: "it names a user"
      case .badHost: "its host or port is malformed"
      case .hasFragment: "it has a fragment"
      case .badOctet: "it has a character that no address has"
      case .tooLong: "it is too long"
      }
    case .hostIsAddress: "its host is a number, not a name"
    case .hostIsShort: "its host is a name without a dot"
    case .port(let port): "it names port \(port)"
    case .notPublic(let address, let kind):
      "its host has the address \(String(decoding: address.text, as: UTF8.self)), "
        + "which is not public (\(kind.rawValue))"
    }
  }
}
