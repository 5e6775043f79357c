internal import MIME
internal import Octets

extension Letter {
  /// How deep parts may lie in each other.
  private static let depthLimit = 20

  /// Makes the body such that it can be sent: where lines are too long, or CR or NUL are in them, the part that they are
  /// in is encoded in another way, which every reader undoes.
  ///
  /// Nothing is changed in parts that do not need it, and nothing at all under a signature.
  /// - Throws: `unfitBody` where nothing may be changed.
  mutating func fitBody() throws(LetterError) {
    guard let line = firstUnfitLine else { return }
    guard !has("DKIM-Signature"), fit(.lines, depth: 0) else {
      throw .unfitBody(line: linesBeforeBody + line)
    }
    if !has("MIME-Version") { add("MIME-Version", [UInt8](ascii: "1.0")) }
  }

  /// The message for a server that takes no octets above 127 in bodies: parts that have some are encoded.
  ///
  /// - Returns: `nil` where nothing is to be done, or nothing may be changed.
  package func inSevenBits() -> [UInt8]? {
    var letter = self
    guard BodyNeed.sevenBits.isUnmet(by: body), !has("DKIM-Signature"),
      letter.fit(.sevenBits, depth: 0)
    else { return nil }
    if !letter.has("MIME-Version") { letter.add("MIME-Version", [UInt8](ascii: "1.0")) }
    return letter.octets
  }

  private var firstUnfitLine: Int? { BodyLines.firstUnfit(body) }

  /// Makes what is below fit; `false` where that cannot be done.
  private mutating func fit(_ need: BodyNeed, depth: Int) -> Bool {
    guard need.isUnmet(by: body) else { return true }
    guard depth < Self.depthLimit else { return false }
    let type = value("Content-Type").flatMap { ContentType($0) }
    if let type, type.isType("multipart") {
      guard !type.isType("multipart", "signed"),
        let boundary = type.parameters.octets("boundary"), !boundary.isEmpty
      else { return false }
      return fitParts(boundary, need, depth)
    }
    if let type, type.isType("message") {
      guard hasIdentityEncoding, var inner = try? Letter(body), inner.fit(need, depth: depth + 1)
      else {
        return false
      }
      body = inner.octets
      relabel(need)
      return true
    }
    return (need == .lines || hasIdentityEncoding) && encode()
  }

  /// What has only seven bits now must not be said to have eight.
  private mutating func relabel(_ need: BodyNeed) {
    guard need == .sevenBits, has("Content-Transfer-Encoding") else { return }
    replace("Content-Transfer-Encoding", with: [UInt8](ascii: "7bit"))
  }

  private mutating func fitParts(
    _ boundary: [UInt8],
    _ need: BodyNeed,
    _ depth: Int
  ) -> Bool {
    var fitted: [UInt8] = []
    for piece in MultipartPieces(body, boundary).pieces {
      guard need.isUnmet(by: piece.octets) else {
        fitted += piece.octets
        continue
      }
      guard piece.isPart, var part = try? Letter([UInt8](piece.octets)),
        part.fit(need, depth: depth + 1)
      else { return false }
      fitted += part.octets
    }
    body = fitted
    relabel(need)
    return true
  }

  private var encoding: [UInt8] {
    value("Content-Transfer-Encoding")?.map(ASCII.lowercased) ?? [UInt8](ascii: "7bit")
  }

  private var hasIdentityEncoding: Bool {
    ["7bit", "8bit", "binary"].contains { encoding.elementsEqual($0.utf8) }
  }

  /// Encodes a part that has none in it.
  private mutating func encode() -> Bool {
    if encoding.elementsEqual("base64".utf8) {
      body = BodyLines.rewrapped(base64: body)
    } else if encoding.elementsEqual("quoted-printable".utf8) {
      body = QuotedText.fitted(body)
    } else if hasIdentityEncoding {
      nameText()
      replace("Content-Transfer-Encoding", with: [UInt8](ascii: "quoted-printable"))
      body = QuotedPrintable.encode(body)
    } else {
      return false
    }
    return true
  }

  /// Says what text it is, where nothing is said.
  private mutating func nameText() {
    guard !has("Content-Type") else { return }
    let charset: StaticString =
      !body.contains { $0 > 127 }
      ? "us-ascii" : String(validating: body, as: UTF8.self) != nil ? "utf-8" : "iso-8859-1"
    add("Content-Type", [UInt8](ascii: "text/plain; charset=") + [UInt8](ascii: charset))
  }
}
