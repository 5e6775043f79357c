internal import Octets

/// What a part is, from its Content-Type field (RFC 2045 §5).
package struct ContentType: Sendable, Hashable {
  /// The type in small letters, such as `text`.
  package let type: [UInt8]

  /// The subtype in small letters, such as `plain`.
  package let subtype: [UInt8]

  /// What follows them.
  package let parameters: Parameters

  /// What is meant where no field is (RFC 2045 §5.2).
  package static let plainText = ContentType(type: [UInt8](ascii: "text"), [UInt8](ascii: "plain"))

  /// What is meant in a multipart/digest where no field is (RFC 2046 §5.1.5).
  package static let message = ContentType(
    type: [UInt8](ascii: "message"),
    [UInt8](ascii: "rfc822")
  )

  private init(type: [UInt8], _ subtype: [UInt8]) {
    self.type = type
    self.subtype = subtype
    parameters = Parameters([])
  }

  /// The type that the value of the field names; `nil` when it names none.
  ///
  /// A lone `text` means text/plain, as in mail from before MIME.
  package init?(_ body: [UInt8]) {
    var scanner = ParameterScanner(body[...])
    let word = ContentType.word(&scanner).map { ASCII.lowercased($0) }
    let halves = word.split(separator: ASCII.slash, maxSplits: 1)
    guard let type = halves.first, type.allSatisfy(ContentType.isToken) else { return nil }
    if halves.count == 2 {
      subtype = [UInt8](halves[1])
    } else if type.elementsEqual([UInt8](ascii: "text")) {
      subtype = [UInt8](ascii: "plain")
    } else {
      return nil
    }
    guard subtype.allSatisfy(ContentType.isToken) else { return nil }
    self.type = [UInt8](type)
    parameters = Parameters(scanner.rest)
  }

  /// `type/subtype`, perhaps with blanks around the slash.
  private static func word(_ scanner: inout ParameterScanner) -> [UInt8] {
    var word = [UInt8](scanner.token())
    var ahead = scanner
    if !word.contains(ASCII.slash) {
      let next = ahead.token()
      guard next.first == ASCII.slash else { return word }
      word += next
      scanner = ahead
    }
    if word.last == ASCII.slash {
      let next = ahead.token()
      // What has a value is a parameter.
      guard !next.isEmpty, ahead.rest.first != ASCII.equals else { return word }
      word += next
      scanner = ahead
    }
    return word
  }

  /// Whether it is that type, and that subtype if one is given.
  package func isType(_ type: StaticString, _ subtype: StaticString? = nil) -> Bool {
    guard self.type.equalsCaseless(type) else { return false }
    return subtype.map { self.subtype.equalsCaseless($0) } ?? true
  }

  /// Whether it is HTML, that of XML among it (RFC 3236).
  package var isHTML: Bool { isType("text", "html") || isType("application", "xhtml+xml") }

  /// Whether it is a report of what became of a message: fields as in a header (RFC 3464, RFC 8098, RFC 5965).
  package var isReport: Bool {
    guard isType("message") else { return false }
    let reports: [StaticString] = [
      "delivery-status", "disposition-notification", "feedback-report", "global-delivery-status",
      "global-disposition-notification",
    ]
    return reports.contains { subtype.equalsCaseless($0) }
  }

  /// Whether it is a piece of a message (RFC 2046 §5.2.2), but not the first one, which begins as the message does.
  var isFragment: Bool { isType("message", "partial") && !holdsMessage }

  /// Which piece of a message it is, and of how many; `nil` for another type, and where it does not say.
  package var fragment: (number: Int, total: Int?)? {
    guard isType("message", "partial"), let number = count("number") else { return nil }
    return (number, count("total"))
  }

  private func count(_ name: StaticString) -> Int? {
    guard let value = parameters.octets(name) else { return nil }
    var cursor = Cursor(value)
    return cursor.decimal().flatMap { Int(exactly: $0) }
  }

  /// Whether its lines go on in the next ones: calendars and address cards.
  var hasContentLines: Bool {
    isType("text", "calendar") || isType("text", "vcard") || isType("text", "x-vcard")
      || isType("text", "directory") || isType("text", "x-vcalendar")
  }

  /// Whether a part of this type, without parts of its own, is text for reading.
  package var isText: Bool { isType("text") || isHTML || isReport || isFragment }

  /// Whether the body is a message to be taken apart (RFC 2046 §5.2.1, RFC 6532 §3.7).
  var holdsMessage: Bool {
    isType("message", "rfc822") || isType("message", "global") || isType("message", "news")
      || isType("message", "partial") && parameters.octets("number") == [0x31]
  }

  /// The charset of text; `nil` when the field names none.
  package var charset: Charset? {
    parameters.octets("charset").map { Charset(label: $0) }
  }

  /// The boundary of a multipart; `nil` when there is none or it is empty.
  var boundary: [UInt8]? {
    guard var boundary = parameters.octets("boundary") else { return nil }
    while let last = boundary.last, ASCII.isBlank(last) { boundary.removeLast() }
    return boundary.isEmpty ? nil : boundary
  }

  /// Type and subtype as a header writes them.
  package var octets: [UInt8] { type + [ASCII.slash] + subtype }

  private static func isToken(_ octet: UInt8) -> Bool {
    octet > ASCII.space && octet < ASCII.delete
  }
}

/// How a part wants to be shown, from its Content-Disposition field (RFC 2183).
package struct ContentDisposition: Sendable, Hashable {
  /// Whether it says `inline`; all other words but that mean `attachment` (RFC 2183 §2.8).
  package let isInline: Bool

  /// What follows the word, such as `filename`.
  package let parameters: Parameters

  /// What the value of the field says; `nil` when it has no word.
  package init?(_ body: [UInt8]) {
    var scanner = ParameterScanner(body[...])
    let word = scanner.token()
    guard !word.isEmpty else { return nil }
    if scanner.rest.first == ASCII.equals {
      // `Content-Disposition: filename=x` forgets the word.
      isInline = false
      parameters = Parameters(body[...])
    } else {
      isInline = word.equalsCaseless("inline")
      parameters = Parameters(scanner.rest)
    }
  }
}
