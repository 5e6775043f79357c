internal import MailModel
internal import Octets

/// Which messages are never mirrored as partial files, whatever their size.
///
/// What is signed or encrypted is of use only as a whole, and what looks like a partial file already could be taken for
/// one of ours.
enum PartialRules {
  /// The most parts of a message that is mirrored so, containers counted.
  private static let parts = 200

  /// Whether a message of that structure may be mirrored without its attachments.
  static func allow(_ structure: BodyStructure) -> Bool {
    guard case .parts = structure.content else { return false }
    var count = 0
    return allow(structure, &count) && count <= parts
  }

  private static func allow(_ part: BodyStructure, _ count: inout Int) -> Bool {
    count += 1
    guard !isProtected(part), !isElsewhere(part) else { return false }
    // A part without a boundary line could not be told from its neighbours; and a container of which the server tells nothing
    // may hold anything.
    switch part.content {
    case .parts(let parts): if parts.isEmpty { return false }
    case .leaf, .message: if part.type.equalsCaseless("multipart") { return false }
    }
    for child in part.children where !allow(child, &count) { return false }
    return true
  }

  /// Whether it is signed or encrypted, or may be.
  private static func isProtected(_ part: BodyStructure) -> Bool {
    if part.type.equalsCaseless("multipart") {
      return part.subtype.equalsCaseless("signed") || part.subtype.equalsCaseless("encrypted")
    }
    if part.type.equalsCaseless("application"),
      prefixes.contains(where: { part.subtype.starts(with: $0) })
    {
      return true
    }
    return part.fileNames.contains { name in
      let name = name.map { ASCII.lowercased($0) }
      return endings.contains { name.suffix($0.count).elementsEqual($0) }
    }
  }

  private static let prefixes = ["pkcs7-", "x-pkcs7-", "pgp", "x-pgp"].map { [UInt8]($0.utf8) }
  private static let endings = [
    ".p7m", ".p7s", ".p7c", ".p7z", ".asc", ".sig", ".sign", ".pgp", ".gpg",
  ].map { [UInt8]($0.utf8) }

  /// Whether its body lies elsewhere, or is a piece of a message (RFC 2046 §5.2.2 and 5.2.3); or a digest, whose parts
  /// are messages without saying so.
  private static func isElsewhere(_ part: BodyStructure) -> Bool {
    if part.type.equalsCaseless("multipart") { return part.subtype.equalsCaseless("digest") }
    guard part.type.equalsCaseless("message") else { return false }
    return part.subtype.equalsCaseless("external-body") || part.subtype.equalsCaseless("partial")
  }
}
