internal import Octets

extension RestoreRecords.Line {
  /// The line that the octets stand for; nil where they mean nothing.
  init?(_ octets: ArraySlice<UInt8>) {
    let words = octets.split(separator: ASCII.space, omittingEmptySubsequences: false)
    guard let kind = words.first, let digest = words.last.flatMap({ WireDigest(hex: $0) }) else {
      return nil
    }
    if words.count == 2, let line = Self.line(kind, digest) {
      self = line
      return
    }
    guard words.count > 2, let number = Self.number(words[1]) else { return nil }
    if kind.elementsEqual("begun".utf8), words.count == 3 {
      self = .begun(digest, uidNext: number)
    } else if kind.elementsEqual("there".utf8), words.count == 4,
      let proof = RestoreRecords.Proof.allCases.first(where: {
        words[2].elementsEqual($0.rawValue.utf8)
      })
    {
      self = .there(digest, uid: number, proof)
    } else {
      return nil
    }
  }

  /// The line of a digest alone.
  private static func line(_ kind: ArraySlice<UInt8>, _ digest: WireDigest) -> Self? {
    if kind.elementsEqual("none".utf8) { return Self.none(digest) }
    return kind.elementsEqual("breaks".utf8) ? .breaks(digest) : nil
  }

  private static func number(_ word: ArraySlice<UInt8>) -> UInt32? {
    var cursor = Cursor(Array(word))
    guard let number = cursor.decimal(), cursor.isAtEnd else { return nil }
    return UInt32(exactly: number)
  }

  /// The line as octets, with its end.
  package var octets: [UInt8] {
    switch self {
    case .begun(let digest, let uidNext): Self.line("begun \(uidNext)", digest)
    case .there(let digest, let uid, let proof): Self.line("there \(uid) \(proof.rawValue)", digest)
    case .none(let digest): Self.line("none", digest)
    case .breaks(let digest): Self.line("breaks", digest)
    }
  }

  private static func line(_ words: String, _ digest: WireDigest) -> [UInt8] {
    Array(words.utf8) + [ASCII.space] + digest.hex + [ASCII.lineFeed]
  }
}
