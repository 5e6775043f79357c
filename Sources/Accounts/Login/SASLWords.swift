internal import Octets
package import SASL

/// What is wrong with an authentication exchange, in words.
package enum SASLWords {
  /// What happened, and what to do about it; nil where nothing can be advised.
  package static func words(_ error: SASLError) -> (what: String, hint: String?) {
    switch error {
    case .noMechanism(let offered, let usable, _):
      (
        "the server offers no authentication mechanism that can be used (it offers: \(list(offered)))",
        "Magnum could use: \(list(usable))"
      )
    case .forbiddenOctet(let field, let octet):
      ("the \(field) contains an octet that cannot be sent (\(octet))", nil)
    case .unexpectedChallenge(let mechanism):
      ("\(Printable.text(mechanism)): the server asks for more than there is", nil)
    case .malformedChallenge(let mechanism, let part):
      ("\(Printable.text(mechanism)): the server's challenge has no proper \(part)", nil)
    case .iterationCount(let count):
      ("SCRAM: the server wants \(count) rounds, which is not acceptable", nil)
    case .nonceMismatch: ("SCRAM: the server's answer belongs to another exchange", nil)
    case .wrongServerSignature:
      (
        "the server does not know the password itself: it is not the one it claims to be",
        "check the host name"
      )
    case .refused(_, let detail) where detail.elementsEqual("channel-bindings-dont-match".utf8):
      (
        "the encrypted connection does not end at the server that checks the password",
        "a proxy or somebody else stands between; the password was not given away"
      )
    case .refused(_, let detail)
    where detail.elementsEqual("server-does-support-channel-binding".utf8):
      (
        "what the server offers was changed on the way: it offers a log-in that is bound to the connection",
        "a proxy or somebody else stands between; the password was not given away"
      )
    case .refused(let mechanism, let detail):
      ("\(Printable.text(mechanism)): \(Printable.text(detail))", nil)
    }
  }

  private static func list(_ names: [[UInt8]]) -> String {
    names.isEmpty ? "none" : names.map { Printable.text($0) }.joined(separator: ", ")
  }
}
