internal import MIME
internal import Octets

/// Text without what only programs can read.
enum ReadableText {
  private static let uuencodeStart = [UInt8](ascii: "\nbegin ")
  private static let armourStart = [UInt8](ascii: "-----BEGIN PGP MESSAGE-----")
  private static let armourEnd = [UInt8](ascii: "-----END PGP MESSAGE-----")

  /// The text without uuencoded files and encrypted messages.
  static func readable(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text
    if isEncrypted(text) { text = withoutArmour(text) }
    if text.starts(with: uuencodeStart.dropFirst()) || find(uuencodeStart, text) != nil {
      text = withoutUuencode(text)
    }
    return text
  }

  /// Whether an encrypted message stands in the text.
  static func isEncrypted(_ text: ArraySlice<UInt8>) -> Bool {
    find(armourStart, text) != nil
  }

  /// Whether a change of a program stands in the text, as `git send-email` sends it.
  static func isPatch(_ text: ArraySlice<UInt8>) -> Bool {
    guard let place = find(hunkStart, text) else { return false }
    return find(fileStart, text[..<place]) != nil
  }

  private static let hunkStart = [UInt8](ascii: "\n@@ -")
  private static let fileStart = [UInt8](ascii: "\n+++ ")

  private static func withoutArmour(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = text
    var result: [UInt8] = []
    while let start = find(armourStart, rest) {
      result += rest[..<start]
      let end = find(armourEnd, rest[start...]).map { $0 + armourEnd.count } ?? rest.endIndex
      rest = rest[end...]
    }
    return (result + rest)[...]
  }

  private static func withoutUuencode(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let blocks = Uuencode.blocks(text)
    guard !blocks.isEmpty else { return text }
    var result: [UInt8] = []
    var index = text.startIndex
    for block in blocks {
      result += text[index..<max(index, block.octets.startIndex)]
      index = max(index, block.octets.endIndex)
    }
    return (result + text[index...])[...]
  }

  /// Where a text first occurs in another one.
  private static func find(_ wanted: [UInt8], _ text: ArraySlice<UInt8>) -> Int? {
    guard let first = wanted.first, text.count >= wanted.count else { return nil }
    var rest = text[...(text.endIndex - wanted.count)]
    while let start = rest.firstIndex(of: first) {
      if text[start...].starts(with: wanted) { return start }
      rest = rest[(start + 1)...]
    }
    return nil
  }
}
