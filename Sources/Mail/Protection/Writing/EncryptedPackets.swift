internal import Octets

/// For whom an encrypted message of OpenPGP is, as its packets have it (RFC 9580 §5.1).
struct EncryptedPackets {
  /// The numbers of the keys that can decrypt it; nil for one that is hidden.
  let recipients: [KeyNumber?]

  /// Nil for anything but keys of recipients, and behind them octets that are encrypted and protected against changes.
  init?(_ octets: [UInt8]) {
    var rest = octets[...]
    var recipients: [KeyNumber?] = []
    while let packet = Packet(&rest) {
      switch packet.tag {
      case 1:
        // Version 3, a key ID, the algorithm.
        guard packet.body.first == 3, packet.body.count > 9 else { return nil }
        let id = packet.body.dropFirst().prefix(8)
        recipients.append(id.allSatisfy { $0 == 0 } ? nil : KeyNumber(Hex.encode(id)))
      // Integrity-protected data, and the AEAD packet of GnuPG 2.3.
      case 18, 20:
        guard rest.isEmpty else { return nil }
        self.recipients = recipients
        return
      case 10: continue
      // A passphrase could decrypt it too, or it is not encrypted at all.
      default: return nil
      }
    }
    return nil
  }

  /// Whether it is for exactly these keys.
  func isFor(_ encryption: ProtectionPlan.Encryption) -> Bool {
    var open = recipients.compactMap { $0 }
    for key in encryption.recipients {
      // One key may stand for several: they are of its subkeys.
      guard
        let place = open.firstIndex(where: { id in key.encrypters.contains { id.isEnd(of: $0) } })
      else { return false }
      open.remove(at: place)
    }
    return open.isEmpty && recipients.count { $0 == nil } == encryption.hidden.count
  }
}

/// A packet of OpenPGP (RFC 9580 §4.2).
private struct Packet {
  let tag: UInt8
  /// Its octets; of one in pieces the first piece.
  let body: ArraySlice<UInt8>

  /// Takes the next packet; nil where there is none that is whole.
  init?(_ rest: inout ArraySlice<UInt8>) {
    guard let first = rest.popFirst(), first & 0x80 != 0 else { return nil }
    let isNew = first & 0x40 != 0
    tag = isNew ? first & 0x3F : first >> 2 & 0x0F
    let body = isNew ? Self.takeBody(&rest) : Self.takeOldBody(&rest, first & 3)
    guard let body else { return nil }
    self.body = body
  }

  private static func takeOldBody(
    _ rest: inout ArraySlice<UInt8>,
    _ kind: UInt8
  ) -> ArraySlice<UInt8>? {
    guard kind < 3 else { return takeOctets(&rest, rest.count) }
    return takeNumber(&rest, 1 << Int(kind)).flatMap { takeOctets(&rest, $0) }
  }

  private static func takeBody(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let length = takeLength(&rest) else { return nil }
    guard length.isPart else { return takeOctets(&rest, length.octets) }
    let first = takeOctets(&rest, length.octets)
    while let next = takeLength(&rest) {
      guard takeOctets(&rest, next.octets) != nil else { return nil }
      if !next.isPart { return first }
    }
    return nil
  }

  private static func takeLength(
    _ rest: inout ArraySlice<UInt8>
  ) -> (octets: Int, isPart: Bool)? {
    guard let first = rest.popFirst() else { return nil }
    switch first {
    case 0..<192: return (Int(first), false)
    case 192..<224: return rest.popFirst().map { (Int(first - 192) << 8 + Int($0) + 192, false) }
    case 224..<255: return (1 << Int(first & 0x1F), true)
    default: return takeNumber(&rest, 4).map { ($0, false) }
    }
  }

  private static func takeNumber(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> Int? {
    takeOctets(&rest, count)?.reduce(0) { $0 << 8 | Int($1) }
  }

  private static func takeOctets(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> ArraySlice<
    UInt8
  >? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
