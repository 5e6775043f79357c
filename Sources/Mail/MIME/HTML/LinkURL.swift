internal import Octets

/// The address of a link as it may be shown.
enum LinkURL {
  /// How long an address may be, in octets; a longer one helps no reader.
  private static let lengthLimit = 1000

  /// The address without what only follows the reader; `nil` for one that is not to be shown.
  ///
  /// Shown are http, https, ftp, mailto (the mail address alone) and tel.
  ///
  /// - Parameters:
  ///   - href: the address as it is written.
  ///   - base: what a relative one is relative to; such an address is not shown without it.
  /// - Returns: the address.
  static func shown(_ href: [UInt8], base: [UInt8]? = nil) -> [UInt8]? {
    let url = resolved(clean(href), base)
    guard url.count <= lengthLimit else { return nil }
    if url.startsCaseless(with: "mailto:") {
      let address = url.dropFirst(7).prefix { $0 != ASCII.questionMark }
      return address.isEmpty ? nil : [UInt8](address)
    }
    if url.startsCaseless(with: "tel:") || url.startsCaseless(with: "ftp://") { return url }
    guard url.startsCaseless(with: "http://") || url.startsCaseless(with: "https://") else {
      return nil
    }
    return countsClicks(url) ? nil : withoutTracking(url)
  }

  /// The address as one that is not relative, where there is a base (RFC 3986 §5.2).
  private static func resolved(_ url: [UInt8], _ base: [UInt8]?) -> [UInt8] {
    guard let first = url.first, first != ASCII.hash, !hasScheme(url), let base = base.map(clean),
      base.startsCaseless(with: "http://") || base.startsCaseless(with: "https://"),
      base.count <= lengthLimit, let colon = base.firstIndex(of: ASCII.colon)
    else { return url }
    if url.starts(with: [ASCII.slash, ASCII.slash]) { return base[...colon] + url }
    let path = base[(colon + 3)...].firstIndex { [ASCII.slash, ASCII.questionMark].contains($0) }
    let origin = base[..<(path ?? base.endIndex)]
    if first == ASCII.slash { return origin + url }
    let whole = base.prefix { $0 != ASCII.questionMark && $0 != ASCII.hash }
    if first == ASCII.questionMark { return whole + url }
    let directory = whole[origin.endIndex...].lastIndex(of: ASCII.slash).map { whole[...$0] }
    return (directory ?? origin + [ASCII.slash]) + url
  }

  private static func hasScheme(_ url: [UInt8]) -> Bool {
    let name = url.prefix { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.plus }
    return name.endIndex < url.endIndex && url[name.endIndex] == ASCII.colon
  }

  /// Whether the text of a link already says where it leads.
  static func says(_ text: ArraySlice<UInt8>, _ url: [UInt8]) -> Bool {
    core(text).equalsCaseless(core(url[...]))
  }

  /// The octets without white space around them and controls, blanks within escaped.
  private static func clean(_ href: [UInt8]) -> [UInt8] {
    var url = href[...].drop { $0 <= ASCII.space }
    while let last = url.last, last <= ASCII.space { url.removeLast() }
    var result: [UInt8] = []
    var index = url.startIndex
    while index < url.endIndex {
      let octet = url[index]
      index += 1
      if octet == ASCII.space || octet == ASCII.lessThan || octet == ASCII.greaterThan {
        result += [ASCII.percent] + Hex.encode([octet]).map { ASCII.uppercased($0) }
      } else if octet == 0xC2, index < url.endIndex, url[index] < 0xA0 {
        index += 1  // a C1 control
      } else if octet >= 0x80, !isHarmless(octet) {
        result += [ASCII.percent] + Hex.encode([octet]).map { ASCII.uppercased($0) }
      } else if !ASCII.isControl(octet) {
        result.append(octet)
      }
    }
    return result
  }

  /// Whether no mark that turns the direction of text or is invisible begins with that octet.
  private static func isHarmless(_ octet: UInt8) -> Bool {
    octet < 0xE2 && octet != 0xD8 || octet > 0xE2 && octet != 0xEF && octet < 0xF3
  }

  private static func core(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let prefixes: [StaticString] = ["mailto:", "https://", "http://", "ftp://", "tel:", "www."]
    var core = text.drop { $0 <= ASCII.space || $0 == ASCII.lessThan }
    for prefix in prefixes where core.startsCaseless(with: prefix) {
      core = core.dropFirst(prefix.utf8CodeUnitCount)
    }
    let ends = [ASCII.slash, ASCII.space, ASCII.lineFeed, ASCII.greaterThan, ASCII.dot]
    while let last = core.last, ends.contains(last) { core.removeLast() }
    return core
  }

  // MARK: Tracking

  private static let counterHosts: [StaticString] = [
    "click", "clicks", "track", "tracking", "trk", "links", "link", "lnk", "email", "e", "t", "r",
    "ct", "go", "mandrillapp", "click1", "clicks1", "tracker", "newsletter-click",
  ]

  private static let counterPaths: [StaticString] = [
    "/ls/click", "/wf/click", "/track/click", "/CL0/", "/e3t/", "/click/", "/mps2/c/", "/f/a/",
  ]

  /// Whether the address leads to a counter of clicks, which hides where it really goes.
  private static func countsClicks(_ url: [UInt8]) -> Bool {
    guard let start = url.firstIndex(of: ASCII.slash).map({ $0 + 2 }), start <= url.count else {
      return false
    }
    let label = url[start...].prefix { $0 != ASCII.dot && $0 != ASCII.slash }
    let path = url[start...].drop { $0 != ASCII.slash }
    if counterPaths.contains(where: { path.startsCaseless(with: $0) }) { return true }
    let isOpaque = path.split { $0 == ASCII.slash || $0 == ASCII.equals || $0 == ASCII.ampersand }
      .contains { $0.count >= 40 }
    return isOpaque && counterHosts.contains { label.equalsCaseless($0) }
  }

  private static let trackingKeys: [StaticString] = [
    "mc_cid", "mc_eid", "fbclid", "gclid", "dclid", "gbraid", "wbraid", "msclkid", "yclid",
    "igshid", "_hsenc", "_hsmi", "mkt_tok", "vero_id", "vero_conv", "oly_enc_id", "oly_anon_id",
    "__s", "ck_subscriber_id", "s_cid", "trk", "trkCampaign", "sc_eh", "rb_clickid", "wickedid",
  ]

  /// The address without the parameters of its query that only tell who clicked in which mail.
  private static func withoutTracking(_ url: [UInt8]) -> [UInt8] {
    guard let mark = url.firstIndex(of: ASCII.questionMark) else { return url }
    let end = url[mark...].firstIndex(of: ASCII.hash) ?? url.endIndex
    let parameters = url[(mark + 1)..<end].split(separator: ASCII.ampersand)
    let kept = parameters.filter { parameter in
      let key = parameter.prefix { $0 != ASCII.equals }
      return !key.startsCaseless(with: "utm_")
        && !trackingKeys.contains { key.equalsCaseless($0) }
    }
    guard kept.count < parameters.count else { return url }
    let query = [UInt8](kept.joined(separator: [ASCII.ampersand]))
    return url[..<mark] + (query.isEmpty ? [] : [ASCII.questionMark] + query) + url[end...]
  }
}

/// Which addresses of links are written: those that their text does not say, and of pictures alone each once, unless a text
/// leads there too.
struct HTMLLinks {
  /// The link that the text lies in, and how much was written when it began.
  private(set) var open: (url: [UInt8], start: Int)?

  private var hasPicture = false
  private var ofTexts: Set<[UInt8]> = []
  private var ofPictures: Set<[UInt8]> = []
  private let known: Set<[UInt8]>

  /// `known` are addresses that no picture alone has to tell.
  init(knowing known: Set<[UInt8]> = []) {
    self.known = known
  }

  /// The addresses of texts, where a picture alone told one of them too early; nil where none did.
  var doubles: Set<[UInt8]>? {
    known.isEmpty && !ofPictures.isDisjoint(with: ofTexts) ? ofTexts : nil
  }

  mutating func begin(_ url: [UInt8], at start: Int) {
    open = (url, start)
    hasPicture = false
  }

  /// Takes a picture in the link, unless it is none to look at, but one that counts readers.
  mutating func addPicture(_ attributes: HTMLAttributes) {
    let sizes = [attributes.value("width"), attributes.value("height")]
    let isTiny = sizes.contains { $0 == [0x30] || $0 == [0x31] || $0 == [UInt8](ascii: "1px") }
    if !isTiny { hasPicture = true }
  }

  /// Ends the link.
  ///
  /// - Parameter needsURL: whether its text does not say where it leads; nil where it has none.
  /// - Returns: whether its address is to be written.
  mutating func end(needsURL: Bool?) -> Bool {
    guard let url = open?.url else { return false }
    open = nil
    guard let needsURL else {
      return hasPicture && !known.contains(url) && ofPictures.insert(url).inserted
    }
    ofTexts.insert(url)
    return needsURL
  }
}
