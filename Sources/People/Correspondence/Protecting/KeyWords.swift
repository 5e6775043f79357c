internal import Octets
package import Protection
internal import Terminal

/// What people are told of keys that are used, or are not.
package enum KeyWords {
  /// `OpenPGP key` or `certificate`, with its fingerprint.
  package static func text(_ key: ListedKey) -> String {
    "\(key.method.keyName) \(String(decoding: key.fingerprint.digits, as: UTF8.self))"
  }

  /// Why there is no key for an address, in one line.
  static func problem(
    _ choice: KeyChoice,
    of address: [UInt8],
    _ method: ProtectionMethod,
    isOwn: Bool,
    _ use: String?
  ) -> String {
    let address = Printable.text(address, limit: 254)
    let secret = isOwn ? "secret key" : method.keyName
    let end = use.map { " \($0)" } ?? ""
    switch choice {
    case .chosen: return ""
    case .several(let keys):
      let list = keys.map { String(decoding: $0.fingerprint.digits, as: UTF8.self) }
      let words = isOwn ? "several secret keys" : "several keys that nothing certifies"
      return "\(address) has \(words)\(end): \(list.joined(separator: ", "))"
    case .none(let refused):
      guard let first = refused.first(where: { $0.fault != .otherAddress }) else {
        return "no \(secret) of \(address)\(end)"
      }
      return "no \(secret) of \(address)\(end): \(text(first.key)) \(first.fault.text)"
    }
  }

  /// What to do about a missing key of a recipient.
  static func hint(_ method: ProtectionMethod) -> String {
    switch method {
    case .openPGP:
      "magnum keys ADDRESS says why; gpg --import FILE adds a key, --quick-sign-key certifies it"
    case .sMIME: "magnum keys ADDRESS says why; gpgsm --import FILE adds a certificate"
    }
  }

  /// What to do about one's own.
  static func ownHint(_ choice: KeyChoice?, _ method: ProtectionMethod) -> String {
    if case .several = choice { return "set key in [account.NAME.crypto] to one of them" }
    if let choice, case .none(let refused) = choice, method == .openPGP,
      let key = refused.first(where: { $0.fault != .otherAddress }), key.fault == .expired
    {
      let number = String(decoding: key.key.fingerprint.digits, as: UTF8.self)
      return "gpg --quick-set-expire \(number) 2y makes it valid again, if you want that"
    }
    return method == .openPGP
      ? "gpg --quick-generate-key ADDRESS makes one" : "gpgsm --import FILE adds one"
  }

  /// That the key which signs is that of another address than the message comes from; nil where it is not.
  package static func otherSigner(_ keys: MessageKeys) -> String? {
    guard let signer = keys.signer?.key, signer.userIDs(of: keys.sender).isEmpty else { return nil }
    let address = Printable.text(keys.sender, limit: 254)
    return "which has no user id of \(address): recipients see whose it is"
  }

  /// What people see before they send, a line for each key.
  package static func lines(_ keys: MessageKeys) -> [String] {
    var lines: [String] = []
    if let signer = keys.signer?.key {
      lines.append("Sign: \(text(signer))" + (otherSigner(keys).map { ", \($0)" } ?? ""))
    }
    guard keys.own != nil else { return lines + keys.problems.map { "Missing: \($0)" } }
    for recipient in keys.recipients {
      guard case .chosen(let key, let isCertified) = recipient.choice else { continue }
      let address = Printable.text(recipient.address, limit: 254)
      let standing = isCertified ? "certified" : "not certified"
      let hidden = recipient.isHidden ? ", hidden" : ""
      lines.append("Encrypt: \(address), \(text(key)), \(standing)\(hidden)")
    }
    if let own = keys.own?.key { lines.append("Encrypt: yourself, \(text(own))") }
    return lines + keys.problems.map { "Missing: \($0)" }
  }
}
