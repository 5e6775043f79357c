internal import Octets

/// A program that makes text of attachments of one type: it reads the attachment and writes plain text in UTF-8.
package struct TextFilter: Hashable, Sendable {
  /// The type in small letters: `application/pdf`, or `application/*` for all that have no filter of their own.
  package let type: String

  /// The program and its arguments.
  package let command: [String]

  /// - Returns: nil where the type is none, or no program is named.
  package init?(type: String, command: [String]) {
    guard Self.isType(type), let program = command.first, !program.isEmpty else { return nil }
    self.type = String(decoding: type.utf8.map { ASCII.lowercased($0) }, as: UTF8.self)
    self.command = command
  }

  /// Whether text is a type, or a main type with `*` behind its slash.
  package static func isType(_ text: String) -> Bool {
    let halves = text.utf8.split(separator: ASCII.slash, omittingEmptySubsequences: false)
    guard halves.count == 2, halves[0].allSatisfy(isToken), !halves[0].isEmpty else { return false }
    return halves[1].elementsEqual([UInt8(ascii: "*")])
      || !halves[1].isEmpty && halves[1].allSatisfy(isToken)
  }

  private static func isToken(_ octet: UInt8) -> Bool {
    let marks: [UInt8] = [UInt8](ascii: "!#$&-^_.+")
    return ASCII.isLetter(octet) || ASCII.isDigit(octet) || marks.contains(octet)
  }

  /// What the filter is known by in indexes and caches; another one for another type or command.
  package var key: UInt64 {
    var hash = Hash64()
    for word in [type] + command {
      hash.update(UInt64(word.utf8.count))
      hash.update(word.utf8)
    }
    return hash.value
  }

  /// The main type, where the filter is for all of its types.
  package var mainType: String? {
    type.hasSuffix("/*") ? String(type.dropLast(2)) : nil
  }
}

/// The filters of a configuration.
package struct TextFilters: Hashable, Sendable {
  /// All of them, in the order of the file; no two are for the same type.
  package let all: [TextFilter]

  /// No filter is for a type that an earlier one is for.
  package init(_ filters: [TextFilter] = []) {
    var types: Set<String> = []
    all = filters.filter { types.insert($0.type).inserted }
  }

  /// Whether there is none.
  package var isEmpty: Bool { all.isEmpty }

  /// The one for a type in small letters: that of the very type, else that of its main type; nil for none.
  package func filter(for type: [UInt8]) -> TextFilter? {
    if let filter = all.first(where: { $0.type.utf8.elementsEqual(type) }) { return filter }
    let main = type.prefix { $0 != ASCII.slash }
    return all.first { $0.mainType?.utf8.elementsEqual(main) ?? false }
  }
}
