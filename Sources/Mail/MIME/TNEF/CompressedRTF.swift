internal import Octets

/// Rich text as Outlook compresses it (MS-OXRTFCP).
enum CompressedRTF {
  private static let start = [UInt8](
    ("{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern "
      + "\\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0"
      + "\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx").utf8
  )

  private static let windowSize = 4096

  /// The text, at most nine times as long; nil where it is none.
  static func decode(_ octets: ArraySlice<UInt8>) -> [UInt8]? {
    var reader = LittleEndianReader(octets)
    guard reader.number(4) != nil, let size = reader.number(4), let kind = reader.number(4),
      reader.number(4) != nil
    else { return nil }
    switch kind {
    case 0x414C_454D: return [UInt8](reader.rest.prefix(size))
    case 0x7546_5A4C: return decode(&reader, size)
    default: return nil
    }
  }

  private static func decode(_ reader: inout LittleEndianReader, _ size: Int) -> [UInt8] {
    var window = start + [UInt8](repeating: ASCII.space, count: windowSize - start.count)
    var position = start.count
    var result: [UInt8] = []
    func write(_ octet: UInt8) {
      result.append(octet)
      window[position] = octet
      position = (position + 1) % windowSize
    }
    while result.count < size, let control = reader.number(1) {
      for bit in 0..<8 where result.count < size {
        guard control >> bit & 1 == 1 else {
          guard let octet = reader.number(1) else { return result }
          write(UInt8(octet))
          continue
        }
        guard let high = reader.number(1), let low = reader.number(1) else { return result }
        let offset = high << 4 | low >> 4
        if offset == position { return result }
        for index in 0..<(low & 0xF) + 2 { write(window[(offset + index) % windowSize]) }
      }
    }
    return result
  }
}
