/// What of a part could not be read.
package enum PartLoss: Sendable, Hashable, Comparable {
  /// Lines that do not decode; so many.
  case lines(Int)
  /// The end is missing.
  case end
  /// Checksums or lengths in it are wrong.
  case damage
  /// Objects that only the program that made them can read; so many.
  case objects(Int)

  static func ofUuencode(_ body: ArraySlice<UInt8>) -> [PartLoss] {
    let lines = Uuencode.blocks(body).first?.damagedLines ?? 0
    return lines > 0 ? [.lines(lines)] : []
  }
}

extension Part {
  /// What of it could not be read; takes the time of decoding it.
  package var losses: [PartLoss] {
    if encoding == .uuencode { return PartLoss.ofUuencode(body) }
    return isTNEF ? TNEFReader.read(decoded).losses : []
  }

  /// Whether it is a file of Outlook, whether it could be opened or not.
  package var isTNEF: Bool { contentType.isTNEF(disposition) }

  /// Whether its parts are not where the message has them, but in octets that were made of it.
  var holdsCopies: Bool { kind == .message ? encoding != .identity : isTNEF }
}
