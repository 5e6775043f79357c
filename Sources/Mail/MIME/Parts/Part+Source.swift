internal import Octets

extension Part {
  /// What it holds, as `type/subtype` in small letters: by the name of the file where the type says no more than octets.
  ///
  /// Of a part that stands for one on the server, that one's.
  package func heldType(_ decoder: CharsetDecoder) -> [UInt8] {
    let told = (external ?? self).contentType
    guard told.isOctets, let name = fileName(decoder), let type = FileType.of(name: name) else {
      return told.octets
    }
    return type.octets
  }

  /// The text of a file that programs and people write as text, though its type is not that of text: JSON, XML, logs.
  ///
  /// As UTF-8 with LF line ends; `nil` for all else. `limit` is how many octets of the body are read, as it is written.
  package func sourceText(_ decoder: CharsetDecoder, limit: Int = .max) -> [UInt8]? {
    guard kind == .leaf, contentType.isSource || isNamedAsText(decoder) else { return nil }
    let text = PartText.decode(self, decoder, limit: limit)
    return text.prefix(4096).contains(0) ? nil : text
  }

  /// Whether a file of no told type has the name of a text.
  private func isNamedAsText(_ decoder: CharsetDecoder) -> Bool {
    guard contentType.isOctets, let name = fileName(decoder),
      let dot = name.lastIndex(of: ASCII.dot)
    else { return false }
    let ending = name[(dot + 1)...]
    let endings: [StaticString] = [
      "txt", "log", "csv", "md", "json", "xml", "yaml", "yml", "patch", "diff", "ics", "vcf", "tex",
    ]
    return endings.contains { ending.equalsCaseless($0) }
  }
}

extension ContentType {
  /// Whether it says no more than that it is octets, or that they are to be saved.
  var isOctets: Bool {
    if isType("binary") { return subtype.equalsCaseless("octet-stream") }
    guard isType("application") else { return false }
    let names: [StaticString] = [
      "octet-stream", "x-octet-stream", "download", "x-download", "force-download",
    ]
    return names.contains { subtype.equalsCaseless($0) }
  }

  /// Whether it is a format that is written as text.
  fileprivate var isSource: Bool {
    guard isType("application") else { return false }
    let names: [StaticString] = [
      "json", "xml", "yaml", "x-yaml", "toml", "sql", "javascript", "x-javascript", "x-sh", "x-tex",
    ]
    let ending = subtype.lastIndex(of: ASCII.plus).map { subtype[($0 + 1)...] } ?? []
    return names.contains { subtype.equalsCaseless($0) } || ending.equalsCaseless("json")
      || ending.equalsCaseless("xml")
  }
}
