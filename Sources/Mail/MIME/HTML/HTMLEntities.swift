internal import Octets

/// References to characters in HTML, such as `&amp;`, `&#8364;` and `&#x20AC;`.
enum HTMLEntities {
  /// The text with its references undone; what is none stays.
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(ASCII.ampersand) else { return [UInt8](text) }
    var result: [UInt8] = []
    var index = text.startIndex
    while index < text.endIndex {
      if text[index] == ASCII.ampersand, let (scalar, end) = reference(text[index...]) {
        result.append(utf8: scalar)
        index = end
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return result
  }

  /// The scalar of the reference that the text begins with, and where it ends; `nil` for none.
  ///
  /// The semicolon may be missing after a number, and after a name that no letter or digit follows.
  static func reference(_ text: ArraySlice<UInt8>) -> (scalar: UInt32, end: Int)? {
    let body = text.dropFirst()
    if body.first == ASCII.hash { return number(body.dropFirst()) }
    let name = body.prefix(10).prefix { ASCII.isLetter($0) || ASCII.isDigit($0) }
    guard let scalar = scalars[String(decoding: name, as: UTF8.self)] else { return nil }
    let hasEnd = name.endIndex < text.endIndex && text[name.endIndex] == ASCII.semicolon
    return (scalar, hasEnd ? name.endIndex + 1 : name.endIndex)
  }

  private static func number(_ text: ArraySlice<UInt8>) -> (scalar: UInt32, end: Int)? {
    let isHex = text.first.map { ASCII.lowercased($0) == 0x78 } ?? false
    let digits = text.dropFirst(isHex ? 1 : 0).prefix(12).prefix {
      ASCII.isDigit($0) || isHex && (0x61...0x66).contains(ASCII.lowercased($0))
    }
    guard !digits.isEmpty else { return nil }
    let value = UInt32(String(decoding: digits, as: UTF8.self), radix: isHex ? 16 : 10) ?? 0xFFFD
    let hasEnd = digits.endIndex < text.endIndex && text[digits.endIndex] == ASCII.semicolon
    // The numbers of C1 controls mean characters of windows-1252, here as everywhere.
    let scalar = (0x80...0x9F).contains(value) ? Windows1252.scalar(UInt8(value)) : value
    return (scalar, hasEnd ? digits.endIndex + 1 : digits.endIndex)
  }

  private static let scalars: [String: UInt32] = {
    var scalars: [String: UInt32] = [
      "quot": 34, "amp": 38, "lt": 60, "gt": 62, "apos": 39, "QUOT": 34, "AMP": 38, "LT": 60,
      "GT": 62, "OElig": 338, "oelig": 339, "Scaron": 352, "scaron": 353, "Yuml": 376, "fnof": 402,
      "circ": 710, "tilde": 732, "ensp": 0x2002, "emsp": 0x2003, "thinsp": 0x2009, "zwnj": 0x200C,
      "zwj": 0x200D, "lrm": 0x200E, "rlm": 0x200F, "ndash": 0x2013, "mdash": 0x2014,
      "lsquo": 0x2018, "rsquo": 0x2019, "sbquo": 0x201A, "ldquo": 0x201C, "rdquo": 0x201D,
      "bdquo": 0x201E, "dagger": 0x2020, "Dagger": 0x2021, "bull": 0x2022, "hellip": 0x2026,
      "permil": 0x2030, "prime": 0x2032, "Prime": 0x2033, "lsaquo": 0x2039, "rsaquo": 0x203A,
      "oline": 0x203E, "frasl": 0x2044, "euro": 0x20AC, "image": 0x2111, "weierp": 0x2118,
      "real": 0x211C, "trade": 0x2122, "alefsym": 0x2135, "larr": 0x2190, "uarr": 0x2191,
      "rarr": 0x2192, "darr": 0x2193, "harr": 0x2194, "crarr": 0x21B5, "lArr": 0x21D0,
      "uArr": 0x21D1, "rArr": 0x21D2, "dArr": 0x21D3, "hArr": 0x21D4, "forall": 0x2200,
      "part": 0x2202, "exist": 0x2203, "empty": 0x2205, "nabla": 0x2207, "isin": 0x2208,
      "notin": 0x2209, "ni": 0x220B, "prod": 0x220F, "sum": 0x2211, "minus": 0x2212,
      "lowast": 0x2217, "radic": 0x221A, "prop": 0x221D, "infin": 0x221E, "ang": 0x2220,
      "and": 0x2227, "or": 0x2228, "cap": 0x2229, "cup": 0x222A, "int": 0x222B, "there4": 0x2234,
      "sim": 0x223C, "cong": 0x2245, "asymp": 0x2248, "ne": 0x2260, "equiv": 0x2261, "le": 0x2264,
      "ge": 0x2265, "sub": 0x2282, "sup": 0x2283, "nsub": 0x2284, "sube": 0x2286, "supe": 0x2287,
      "oplus": 0x2295, "otimes": 0x2297, "perp": 0x22A5, "sdot": 0x22C5, "loz": 0x25CA,
      "spades": 0x2660, "clubs": 0x2663, "hearts": 0x2665, "diams": 0x2666, "check": 0x2713,
      "cross": 0x2717, "star": 0x2606, "starf": 0x2605, "phone": 0x260E, "NewLine": 10, "Tab": 9,
      "commat": 64, "num": 35, "dollar": 36, "percnt": 37, "lpar": 40, "rpar": 41, "ast": 42,
      "plus": 43, "comma": 44, "period": 46, "sol": 47, "colon": 58, "semi": 59, "equals": 61,
      "quest": 63, "lsqb": 91, "bsol": 92, "rsqb": 93, "lowbar": 95, "grave": 96, "lcub": 123,
      "vert": 124, "verbar": 124, "rcub": 125, "hyphen": 0x2010, "dash": 0x2010, "numsp": 0x2007,
      "puncsp": 0x2008, "hairsp": 0x200A, "Omega": 937,
    ]
    for (offset, name) in latin1.split(separator: " ").enumerated() {
      scalars[String(name)] = UInt32(160 + offset)
    }
    for (offset, name) in greek.split(separator: " ").enumerated() where name != "-" {
      scalars[String(name).prefix(1).uppercased() + name.dropFirst()] = UInt32(913 + offset)
      scalars[String(name)] = UInt32(945 + offset)
    }
    scalars["sigmaf"] = 962
    scalars["Sigmaf"] = nil
    return scalars
  }()

  /// The names of U+00A0…U+00FF in order.
  private static let latin1 =
    "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn"
    + " sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave"
    + " Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc"
    + " Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute"
    + " THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml"
    + " igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave"
    + " uacute ucirc uuml yacute thorn yuml"

  /// The names of U+03B1…U+03C9 in order; the capitals stand 32 before them.
  private static let greek =
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf"
    + " sigma tau upsilon phi chi psi omega"
}
