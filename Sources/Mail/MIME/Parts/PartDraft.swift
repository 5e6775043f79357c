internal import Octets

/// A part of which only the header was read.
struct PartDraft {
  let header: Header
  let start: Int
  let bodyStart: Int
  let place: PartPlace
  let type: ContentType
  let encoding: TransferEncoding

  init(header: Header, start: Int, bodyStart: Int, place: PartPlace) {
    self.header = header
    self.start = start
    self.bodyStart = bodyStart
    self.place = place
    let fallback = place.isInDigest ? ContentType.message : .plainText
    type = header.first("Content-Type").flatMap { ContentType($0.body) } ?? fallback
    encoding =
      header.first("Content-Transfer-Encoding").map { TransferEncoding($0.body) } ?? .identity
  }

  /// Whether the body is a message to be taken apart (RFC 2046 §5.2.1, RFC 6532 §3.7).
  var holdsMessage: Bool { type.holdsMessage }

  /// Whether the body is a file of Outlook to be taken apart.
  var isTNEF: Bool { type.isType("application") && type.isTNEF(disposition) }

  /// Whether the body may be a message within its signature, to be taken out: of S/MIME, or at the root named like that.
  ///
  /// Documents with signatures around them, which are attached by their own names, stay whole.
  var mayHoldSignedContent: Bool {
    let isRoot = place.number == nil && place.depth == 0
    return isRoot
      ? type.isCMS || type.isNamedCMS(disposition)
      : type.isCMS && !type.isNamedDocument(disposition)
  }

  /// A boundary that stands in another field than Content-Type, or in a line that is none, where lines were mixed up.
  var misplacedBoundary: [UInt8]? {
    header.fields.lazy.prefix(200).filter { !$0.isNamed("Content-Type") }
      .compactMap { Parameters($0.body[...]).octets("boundary") }.first { !$0.isEmpty }
  }

  private var disposition: ContentDisposition? {
    header.first("Content-Disposition").flatMap { ContentDisposition($0.body) }
  }

  /// The part of a draft that ends there; `body` is where its content is, if not all behind the header.
  func part(
    _ octets: [UInt8],
    end: Int,
    body: Range<Int>? = nil,
    kind: Part.Kind,
    children: [Part]
  ) -> Part {
    let isMultipart = kind == .multipart && type.isType("multipart")
    let isEmptyMultipart = kind == .leaf && type.isType("multipart")
    let disposition = disposition
    return Part(
      section: place.section(isMultipart: isMultipart),
      header: header,
      contentType: isEmptyMultipart ? .plainText : type,
      disposition: disposition,
      encoding: isMultipart || isEmptyMultipart ? .identity : encoding,
      kind: kind,
      role: isEmptyMultipart ? .body : role(kind, disposition),
      isPlaceholder: place.isOfPartialFile && type.isPartialPlaceholder,
      octets: octets[start..<end],
      body: octets[body ?? bodyStart..<end],
      children: children
    )
  }

  private func role(_ kind: Part.Kind, _ disposition: ContentDisposition?) -> PartRole {
    if kind == .multipart { return .container }
    if kind == .message { return .attachment }
    if isSignature { return .signature }
    if let disposition, !disposition.isInline { return .attachment }
    if isReferredTo(disposition) { return .inline }
    return isReadable(disposition) ? .body : .attachment
  }

  private var isSignature: Bool {
    guard type.isType("application") else { return false }
    let names: [StaticString] = ["pgp-signature", "pkcs7-signature", "x-pkcs7-signature"]
    return names.contains { type.subtype.equalsCaseless($0) }
  }

  private func isReferredTo(_ disposition: ContentDisposition?) -> Bool {
    guard header.first("Content-ID") != nil || header.first("Content-Location") != nil else {
      return false
    }
    if place.container?.isType("multipart", "related") == true { return place.isLaterPart }
    return disposition != nil && !type.isType("text")
  }

  /// Whether it is text to read rather than a file (RFC 2183 §2.1).
  ///
  /// Such a text has no name, is one of several renderings, or is to be shown inline whatever its name.
  private func isReadable(_ disposition: ContentDisposition?) -> Bool {
    if type.isReport || type.isFragment { return true }
    guard type.isText else { return false }
    if place.container?.isType("multipart", "alternative") == true { return true }
    if type.isType("text", "rfc822-headers") || type.isType("text", "calendar") {
      return place.container == nil
    }
    if place.number == nil || disposition?.isInline == true && !type.hasContentLines { return true }
    let names = [type.parameters.octets("name"), disposition?.parameters.octets("filename")]
    return names.allSatisfy { $0?.allSatisfy { $0 <= ASCII.space } ?? true }
  }
}
