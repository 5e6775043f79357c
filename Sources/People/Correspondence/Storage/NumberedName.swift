internal import MIME
internal import Octets

/// Names for a file that must not take the place of another.
package enum NumberedName {
  /// The name itself for 1, `report (2).pdf` for 2, and so on; never longer than file systems allow.
  package static func of(_ name: [UInt8], _ number: Int) -> [UInt8] {
    guard number > 1 else { return name }
    let dot = name.lastIndex(of: ASCII.dot).flatMap { $0 > 0 && name.count - $0 <= 20 ? $0 : nil }
    let ending = dot.map { [UInt8](name[$0...]) } ?? []
    let mark = [UInt8](" (\(number))".utf8)
    var stem = name[..<(dot ?? name.count)]
    // Whole characters go.
    while stem.count + mark.count + ending.count > SafeFileName.lengthLimit {
      while let last = stem.popLast(), last & 0xC0 == 0x80 {}
    }
    return [UInt8](stem) + mark + ending
  }
}
