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
    guard !has("DKIM-Signature"), fit(depth: 0) else {
      throw .unfitBody(line: linesBeforeBody + line)
    }
    if !has("MIME-Version") { add("MIME-Version", [UInt8](ascii: "1.0")) }
  }

  private var firstUnfitLine: Int? { BodyLines.firstUnfit(body) }

  /// Makes what is below fit; `false` where that cannot be done.
  private mutating func fit(depth: Int) -> Bool {
    guard firstUnfitLine != nil else { return true }
    guard depth < Self.depthLimit else { return false }
    let type = value("Content-Type").flatMap { ContentType($0) }
    if let type, type.isType("multipart") {
      guard !type.isType("multipart", "signed"),
        let boundary = type.parameters.octets("boundary"), !boundary.isEmpty
      else { return false }
      return fitParts(boundary, depth)
    }
    if let type, type.isType("message") {
      guard hasIdentityEncoding, var inner = try? Letter(body), inner.fit(depth: depth + 1) else {
        return false
      }
      body = inner.octets
      return true
    }
    return encode()
  }

  private mutating func fitParts(_ boundary: [UInt8], _ depth: Int) -> Bool {
    var fitted: [UInt8] = []
    for piece in MultipartPieces(body, boundary).pieces {
      guard BodyLines.firstUnfit(piece.octets) != nil else {
        fitted += piece.octets
        continue
      }
      guard piece.isPart, var part = try? Letter([UInt8](piece.octets)),
        part.fit(depth: depth + 1)
      else { return false }
      fitted += part.octets
    }
    body = fitted
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
      body = QuotedText.encode(body)
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
