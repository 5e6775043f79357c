internal import MIME
internal import Octets
internal import Terminal

/// What people and programs are told of senders.
extension SenderVerdict {
  /// The lines for people.
  ///
  /// Nothing that a stranger chose stands in them but a domain, which vouches for the message, or disowns it.
  var lines: [String] {
    let isNew = marks.contains(.newAddress)
    return [line, isNew ? "[sender: has the name of a correspondent at a new address]" : nil]
      .compactMap(\.self)
  }

  private var line: String? {
    guard let name = (proven ?? domain).map({ Printable.text($0, limit: 255) }) else { return nil }
    switch kind {
    case .pass:
      let proofs = proofs.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ", ")
      return "[sender: verified as \(name) (\(proofs))]"
    case .fail: return "[sender: not verified; \(name) says that it did not send this]"
    case .none: return nil
    }
  }

  /// The member `auth`.
  var json: JSONLine {
    var line = JSONLine()
    line.add("verdict", kind.rawValue)
    if let domain { line.add("domain", octets: domain) }
    if let server { line.add("by", octets: server) }
    line.add("methods", results.map(Self.json))
    line.add("marks", marks.map(\.rawValue))
    return line
  }

  private static func json(_ result: MethodResult) -> JSONLine {
    var line = JSONLine()
    line.add("method", octets: result.method)
    line.add("result", octets: result.result)
    if let domain = result.domain { line.add("domain", octets: domain) }
    return line
  }
}
