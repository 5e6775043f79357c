internal import Octets

/// A character set by the name that a converter knows it by.
package struct Charset: Sendable, Hashable {
  /// The canonical name, such as `UTF-8` or `ISO-8859-15`; empty when the text says nothing usable.
  package let name: String

  private init(name: String) {
    self.name = name
  }

  /// The charset that a label as found in mail means.
  ///
  /// Case, quotes, punctuation and a language after `*` (RFC 2231 §5) do not matter. Labels that say
  /// nothing (`unknown-8bit`, `default`) give ``unlabelled``. One that is not known is passed on in
  /// capitals, only letters, digits and `-_.:+` kept, for the converter to try.
  package init(label: some Collection<UInt8>) {
    let label = label.prefix(64).prefix { $0 != ASCII.asterisk }.map { ASCII.lowercased($0) }
    let key = label.filter { ASCII.isLetter($0) || ASCII.isDigit($0) }
    if let known = CharsetAliases.names[String(decoding: key, as: UTF8.self)] {
      name = known
      return
    }
    let marks = [UInt8](ascii: "-_.:+")
    let kept = label.filter { ASCII.isLetter($0) || ASCII.isDigit($0) || marks.contains($0) }
    name = String(decoding: kept.map { ASCII.uppercased($0) }, as: UTF8.self)
  }

  /// US-ASCII, what text without a label is by the standard (RFC 2045 §5.2).
  package static let ascii = Charset(name: "US-ASCII")

  package static let utf8 = Charset(name: "UTF-8")

  /// ISO-8859-1; read as windows-1252, its superset, since that is what such mail holds.
  package static let latin1 = Charset(name: "ISO-8859-1")

  package static let windows1252 = Charset(name: "WINDOWS-1252")

  /// HZ-GB-2312, and what it is decoded by.
  static let hz = Charset(name: "HZ-GB-2312")
  static let gb18030 = Charset(name: "GB18030")

  /// Whether each of its characters takes two octets or four.
  var isWide: Bool { name.hasPrefix("UTF-16") || name.hasPrefix("UTF-32") }

  /// A text without a label: read as UTF-8 where it is that, else as what it is most likely, windows-1252 in the end.
  package static let unlabelled = Charset(name: "")
}

/// The labels of charsets found in mail, and what they mean.
enum CharsetAliases {
  /// Canonical names by label, the label in small letters and digits alone.
  ///
  /// Where the world writes a superset under the name of its subset (GB2312 for GBK, EUC-KR for
  /// CP949, Shift_JIS for CP932, ISO-8859-9 for windows-1254), the name is that of the superset.
  static let names: [String: String] = {
    var names: [String: String] = [:]
    for (name, labels) in table {
      for label in labels.split(separator: " ") { names[String(label)] = name }
    }
    for part in 1...16 where ![1, 9, 11, 12].contains(part) {
      names["iso8859\(part)"] = "ISO-8859-\(part)"
      names["8859\(part)"] = "ISO-8859-\(part)"
    }
    for page in [1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258] {
      for prefix in ["windows", "win", "cp", "xcp", "ansi", "microsoftcp"] {
        names["\(prefix)\(page)"] = "CP\(page)"
      }
    }
    return names
  }()

  private static let table: [(name: String, labels: String)] = [
    ("US-ASCII", "usascii ascii 646 us ansix341968 iso646us isoir6 ibm367 cp367 csascii asciii"),
    ("UTF-8", "utf8 unicode11utf8 utf8mb4 xutf8 utf utf08 unicodeutf8 cputf8 cp65001 utf8bom"),
    (
      "ISO-8859-1",
      "iso88591 latin1 l1 cp819 ibm819 isoir100 iso885911987 iso8859 88591 isolatin1 csisolatin1"
        + " latin isolatin xiso88591"
    ),
    (
      "WINDOWS-1252",
      "windows1252 cp1252 win1252 xcp1252 ansi xansi windows ansi1252 1252 windows12521 ms1252"
    ),
    (
      "",
      "unknown unknown8bit xunknown none default 8bit 7bit binary xuserdefined defaultcharset"
        + " charset null undefined unspecified iso any auto nonascii"
    ),
    ("UTF-7", "utf7 unicode11utf7 xunicode20utf7 csunicode11utf7 unicode20utf7"),
    ("UTF-16", "utf16 ucs2 unicode iso10646ucs2 csunicode unicodefeff utf16bom"),
    ("UTF-16LE", "utf16le unicodelittle"),
    ("UTF-16BE", "utf16be unicodebig unicodefffe"),
    ("UTF-32", "utf32 ucs4 iso10646ucs4"),
    ("GB18030", "gb18030 gb2312 gbk cp936 xgbk euccn gb231280 csgb2312 ms936 gb windows936 xeuccn"),
    ("HZ-GB-2312", "hzgb2312 hz hzgb"),
    ("BIG5", "big5 cnbig5 xxbig5 csbig5 big5eten xbig5"),
    ("BIG5-HKSCS", "big5hkscs"),
    ("CP950", "cp950 ms950 windows950"),
    ("CP932", "shiftjis sjis xsjis mskanji cp932 windows31j ms932 csshiftjis cswindows31j shiftjs"),
    ("EUC-JP", "eucjp xeucjp ujis extendedunixcodepackedformatforjapanese cseucpkdfmtjapanese"),
    ("ISO-2022-JP", "iso2022jp csiso2022jp jis iso2022jp1"),
    ("ISO-2022-JP-2", "iso2022jp2"),
    ("ISO-2022-JP-3", "iso2022jp3 iso2022jp2004"),
    (
      "CP949",
      "euckr ksc56011987 ksc5601 ksc56011989 cp949 uhc windows949 korean cseuckr xwindows949"
    ),
    ("ISO-2022-KR", "iso2022kr csiso2022kr"),
    ("ISO-2022-CN", "iso2022cn"),
    ("KOI8-R", "koi8r koi8 koi cskoi8r"),
    ("KOI8-U", "koi8u koi8ru"),
    ("CP1254", "iso88599 latin5 l5 isoir148 iso885991989 csisolatin5"),
    (
      "CP874",
      "tis620 tis6200 iso885911 iso8859112001 tis62025291 iso885911th cp874 windows874 dosc874"
    ),
    ("ISO-8859-2", "latin2 l2 isoir101 iso885921987 csisolatin2"),
    ("ISO-8859-3", "latin3 l3 iso885931988"),
    ("ISO-8859-4", "latin4 l4 iso885941988"),
    ("ISO-8859-5", "cyrillic iso885951988"),
    ("ISO-8859-6", "arabic iso88596i iso88596e ecma114 asmo708 iso885961987"),
    ("ISO-8859-7", "greek greek8 ecma118 elot928 iso885971987"),
    ("ISO-8859-8", "hebrew iso88598i iso88598e logical visual iso885981988"),
    ("ISO-8859-10", "latin6 l6"),
    ("ISO-8859-13", "latin7 l7"),
    ("ISO-8859-14", "latin8 l8"),
    ("ISO-8859-15", "latin9 l9 iso885915fdis 885915 latin0"),
    ("ISO-8859-16", "latin10 l10"),
    ("CP437", "cp437 ibm437 437"),
    ("CP850", "cp850 ibm850 850"),
    ("CP852", "cp852 ibm852 852"),
    ("CP866", "cp866 ibm866 866"),
    ("MACINTOSH", "macintosh macroman xmacroman mac xmac applemacintosh"),
    ("MAC-CYRILLIC", "maccyrillic xmaccyrillic"),
    ("TCVN", "tcvn tcvn5712 viscii1"),
    ("VISCII", "viscii"),
    ("ARMSCII-8", "armscii8"),
  ]
}
