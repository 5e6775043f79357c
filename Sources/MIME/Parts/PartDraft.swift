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

  func part(_ octets: [UInt8], end: Int, kind: Part.Kind, children: [Part]) -> Part {
    let isEmptyMultipart = kind == .leaf && type.isType("multipart")
    let disposition = header.first("Content-Disposition").flatMap { ContentDisposition($0.body) }
    return Part(
      section: place.section(isMultipart: kind == .multipart),
      header: header,
      contentType: isEmptyMultipart ? .plainText : type,
      disposition: disposition,
      encoding: kind == .multipart || isEmptyMultipart ? .identity : encoding,
      kind: kind,
      role: isEmptyMultipart ? .body : role(kind, disposition),
      octets: octets[start..<end],
      body: octets[bodyStart..<end],
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

  /// Whether it is text to read rather than a file: no name, or the renderings of one text.
  private func isReadable(_ disposition: ContentDisposition?) -> Bool {
    if type.isReport { return true }
    guard type.isText else { return false }
    if place.container?.isType("multipart", "alternative") == true { return true }
    if type.isType("text", "rfc822-headers") || type.isType("text", "calendar") {
      return place.container == nil
    }
    let isNamed = type.parameters.octets("name") ?? disposition?.parameters.octets("filename")
    return isNamed == nil || place.number == nil
  }
}
