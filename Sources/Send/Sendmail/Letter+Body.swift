internal import MIME
package import Octets

extension Letter {
  /// How deep parts may lie in each other.
  private static let depthLimit = 20

  /// Makes the body fit to be sent.
  ///
  /// A part with lines that are too long, or with CR or NUL, gets another encoding, which every reader undoes.
  ///
  /// Nothing is changed in parts that do not need it, and nothing at all under a signature.
  /// - Throws: `unfitBody` where nothing may be changed.
  mutating func fitBody() throws(LetterError) {
    let unfit = try LetterError.reading { () throws(SourceError) in
      try BodyLines.firstUnfit(body)
    }
    guard let line = unfit else { return }
    guard !has("DKIM-Signature"), try fit(.lines, depth: 0) else {
      throw .unfitBody(line: linesBeforeBody + line)
    }
    if !has("MIME-Version") { add("MIME-Version", [UInt8](ascii: "1.0")) }
  }

  /// The message for a server that takes no octets above 127 in bodies: parts that have some are encoded.
  ///
  /// What may not be changed stays as it is, and keeps nothing beside it from being encoded.
  ///
  /// - Returns: `nil` where nothing is to be done, or nothing may be changed.
  /// - Throws: `LetterError` where the message cannot be read.
  package func inSevenBits() throws(LetterError) -> (any OctetSource)? {
    var letter = self
    guard try BodyNeed.sevenBits.isUnmet(by: body), !has("DKIM-Signature") else { return nil }
    // Of one without a version only the whole can be encoded.
    guard try letter.fit(.sevenBits, depth: 0) || has("MIME-Version") else { return nil }
    if !letter.has("MIME-Version") { letter.add("MIME-Version", [UInt8](ascii: "1.0")) }
    return letter.octets
  }

  /// Makes what is below fit; `false` where that cannot be done for all of it.
  ///
  /// A part of a digest is a message where it says nothing of its type (RFC 2046 §5.1.5).
  private mutating func fit(
    _ need: BodyNeed,
    depth: Int,
    isOfDigest: Bool = false
  ) throws(LetterError) -> Bool {
    guard try need.isUnmet(by: body) else { return true }
    guard depth < Self.depthLimit else { return false }
    if isOfDigest, !has("Content-Type") { return try fitMessage(need, depth) }
    let type = value("Content-Type").flatMap { ContentType($0) }
    if let type, type.isType("multipart") {
      guard !type.isType("multipart", "signed"),
        let boundary = type.parameters.octets("boundary"), !boundary.isEmpty
      else { return false }
      return try fitParts(boundary, need, depth, areOfDigest: type.isType("multipart", "digest"))
    }
    if let type, type.isType("message") {
      // Of the others only some lines look like a header.
      guard type.isType("message", "rfc822") || type.isType("message", "global") else {
        return false
      }
      return try fitMessage(need, depth)
    }
    guard need == .lines || hasIdentityEncoding else { return false }
    return try encode()
  }

  private mutating func fitMessage(_ need: BodyNeed, _ depth: Int) throws(LetterError) -> Bool {
    guard hasIdentityEncoding, var inner = try Self.inside(body) else { return false }
    // What is encoded within it needs one of its own (RFC 2045 §4).
    let isEncoded = try need.isUnmet(by: inner.body)
    let isFit = try inner.fit(need, depth: depth + 1)
    guard isFit || need == .sevenBits else { return false }
    if isEncoded, !inner.has("MIME-Version") {
      inner.add("MIME-Version", [UInt8](ascii: "1.0"))
    }
    if need == .sevenBits { inner.encodeHeader { _ in nil } }
    body = inner.octets
    try relabel(need)
    return isFit
  }

  /// What lies within a message; `nil` where it has a header that no message may have.
  private static func inside(_ octets: any OctetSource) throws(LetterError) -> Letter? {
    do throws(LetterError) {
      return try Letter(octets)
    } catch {
      guard case .unreadable = error else { return nil }
      throw error
    }
  }

  /// What has only seven bits now must not be said to have eight; a header within that is signed may still have eight.
  private mutating func relabel(_ need: BodyNeed) throws(LetterError) {
    guard need == .sevenBits, has("Content-Transfer-Encoding"), try !need.isUnmet(by: body)
    else { return }
    replace("Content-Transfer-Encoding", with: [UInt8](ascii: "7bit"))
  }

  private mutating func fitParts(
    _ boundary: [UInt8],
    _ need: BodyNeed,
    _ depth: Int,
    areOfDigest: Bool
  ) throws(LetterError) -> Bool {
    var fitted = JoinedOctets()
    var isFit = true
    let parts = try LetterError.reading { () throws(SourceError) in
      try MultipartPieces(body, boundary)
    }
    for piece in parts.pieces {
      guard try need.isUnmet(by: piece.octets) else {
        fitted.append(piece.octets)
        continue
      }
      if piece.isPart, var part = try Self.inside(piece.octets) {
        isFit = try part.fit(need, depth: depth + 1, isOfDigest: areOfDigest) && isFit
        if need == .sevenBits { part.encodeHeader { _ in nil } }
        fitted.append(part.octets)
      } else if !piece.isPart, need == .sevenBits {
        // No reader shows what stands before and behind the parts.
        fitted.append(try Self.converted(piece.octets, SevenBitFiller()))
      } else {
        isFit = false
        fitted.append(piece.octets)
      }
      guard isFit || need == .sevenBits else { return false }
    }
    body = fitted
    try relabel(need)
    return isFit
  }

  private var encoding: [UInt8] {
    value("Content-Transfer-Encoding")?.map(ASCII.lowercased) ?? [UInt8](ascii: "7bit")
  }

  private var hasIdentityEncoding: Bool {
    ["7bit", "8bit", "binary"].contains { encoding.elementsEqual($0.utf8) }
  }

  /// Encodes a part that has none in it; that is done as it is read.
  private mutating func encode() throws(LetterError) -> Bool {
    let octets = body
    if encoding.elementsEqual("base64".utf8) {
      body = try Self.converted(octets, Base64Rewrapper(keepsBlankEnd: true))
    } else if encoding.elementsEqual("quoted-printable".utf8) {
      body = try Self.converted(octets, QuotedTextFitter())
    } else if hasIdentityEncoding {
      try nameText()
      replace("Content-Transfer-Encoding", with: [UInt8](ascii: "quoted-printable"))
      body = try Self.converted(octets, QuotedPrintableEncoder())
    } else {
      return false
    }
    return true
  }

  private static func converted(
    _ octets: any OctetSource,
    _ converter: some OctetConverter
  ) throws(LetterError) -> any OctetSource {
    try LetterError.reading { () throws(SourceError) in try ConvertedOctets(octets, converter) }
  }

  /// Puts a question mark in the place of each octet above 127.
  private struct SevenBitFiller: OctetConverter {
    func convert(_ octets: ArraySlice<UInt8>, isEnd: Bool) -> [UInt8] {
      octets.map { $0 < 0x80 ? $0 : ASCII.questionMark }
    }
  }

  /// Says what text it is, where nothing is said.
  private mutating func nameText() throws(LetterError) {
    guard !has("Content-Type") else { return }
    let octets = body
    let (isASCII, isUTF8) = try LetterError.reading { () throws(SourceError) in
      (try octets.isASCII, try octets.isUTF8)
    }
    let charset: StaticString = isASCII ? "us-ascii" : isUTF8 ? "utf-8" : "iso-8859-1"
    add("Content-Type", [UInt8](ascii: "text/plain; charset=") + [UInt8](ascii: charset))
  }
}
