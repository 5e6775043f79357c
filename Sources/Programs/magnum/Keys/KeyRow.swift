internal import MailModel
internal import Octets
internal import Protection
internal import Terminal

/// A key of an address, and what it would be used for.
struct KeyRow {
  /// Why it would not be used.
  enum Reason {
    case fault(KeyFault)
    /// Each of several keys would serve, and none is chosen.
    case several
    /// Another one is chosen.
    case other

    var word: String {
      switch self {
      case .fault(let fault): fault.rawValue
      case .several: "several"
      case .other: "other-key"
      }
    }
  }

  let address: [UInt8]
  let key: ListedKey
  var isOwn = false
  var uses: [KeyUse] = []
  /// Whether a person would be asked before it is used.
  var isAsked = false
  /// Nil where it is used.
  var reason: Reason?

  private var isCertified: Bool { key.isCertified(for: address) }

  // MARK: Text

  /// Its lines, each with its end.
  var text: [UInt8] {
    let title = [
      Printable.text(address, limit: 254), key.method.rawValue,
      String(decoding: key.fingerprint.digits, as: UTF8.self),
    ]
    let lines = [title.joined(separator: "  "), "    " + standing] + key.userIDs.map(line)
    return lines.flatMap { [UInt8]($0.utf8) + [ASCII.lineFeed] }
  }

  private var standing: String {
    var parts = [use]
    if !isOwn { parts.append(isCertified ? "certified" : "not certified") }
    if let expires = key.expires { parts.append("until \(Self.day(expires))") }
    return parts.joined(separator: ", ")
  }

  private var use: String {
    let verbs = uses.map { $0 == .signing ? "sign" : "encrypt" }.joined(separator: " and ")
    switch reason {
    case nil: return "would be used to \(verbs)\(isAsked ? " after a question" : "")"
    case .several?: return "not used: there are several keys, and none is preferred"
    case .other?: return "not used: another key is preferred"
    case .fault(let fault)?: return "not used: it \(fault.text)"
    }
  }

  private func line(_ userID: ListedKey.UserID) -> String {
    let note = userID.isRevoked ? "  (revoked)" : userID.isValid ? "" : "  (not valid)"
    return "    " + Printable.text(userID.text, limit: 300) + note
  }

  private static func day(_ seconds: Int64) -> String {
    CivilDate.split(Int(seconds)).date.text
  }

  // MARK: JSON

  var json: JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("address", octets: address)
    line.add("method", key.method == .openPGP ? "openpgp" : "smime")
    line.add("fingerprint", octets: key.fingerprint.digits)
    line.add("own", isOwn)
    line.add("certified", isCertified)
    if let created = key.created { line.add("created", created) }
    if let expires = key.expires { line.add("expires", expires) }
    line.add("uses", uses.map { $0 == .signing ? "sign" : "encrypt" })
    line.add("reason", ifPresent: reason?.word)
    if isAsked { line.add("asked", true) }
    line.add("userids", key.userIDs.map(Self.json))
    return line
  }

  private static func json(_ userID: ListedKey.UserID) -> JSONLine {
    var line = JSONLine()
    line.add("text", octets: userID.text)
    if let address = userID.address { line.add("address", octets: address) }
    line.add("certified", userID.isCertified)
    line.add("revoked", userID.isRevoked)
    line.add("valid", userID.isValid)
    return line
  }
}
