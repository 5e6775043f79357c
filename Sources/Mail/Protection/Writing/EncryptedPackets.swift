internal import Octets

/// For whom an encrypted message of OpenPGP is, as its packets have it (RFC 9580 §5.1).
struct EncryptedPackets {
  /// The numbers of the keys that can decrypt it; nil for one that is hidden.
  let recipients: [KeyNumber?]

  /// Nil for anything but keys of recipients, and behind them octets that are encrypted and protected against changes.
  init?(_ packets: OpenPGPPackets) {
    // Last comes integrity-protected data, or the AEAD packet of GnuPG 2.3.
    guard let packets = packets.whole, let last = packets.last, [18, 20].contains(last.tag) else {
      return nil
    }
    var recipients: [KeyNumber?] = []
    for packet in packets.dropLast() where packet.tag != 10 {
      // A passphrase could decrypt it too, or it is not encrypted at all. A key has version 3, an ID, the algorithm.
      guard packet.tag == 1, packet.start.first == 3, packet.start.count > 9 else { return nil }
      let id = packet.start.dropFirst().prefix(8)
      recipients.append(id.allSatisfy { $0 == 0 } ? nil : KeyNumber(Hex.encode(id)))
    }
    self.recipients = recipients
  }

  /// Whether it is for exactly these keys.
  func isFor(_ encryption: ProtectionPlan.Encryption) -> Bool {
    var open = recipients.compactMap { $0 }
    for key in encryption.recipients {
      let place = open.firstIndex { id in key.encrypters.contains { id.isEnd(of: $0) } }
      guard let place else { return false }
      open.remove(at: place)
    }
    let additions = encryption.recipients.flatMap(\.additions)
    let areOpenExpected = open.allSatisfy { id in additions.contains { id.isEnd(of: $0) } }
    let hidden = recipients.count { $0 == nil } - encryption.hidden.count
    return areOpenExpected && (0...encryption.hidden.flatMap(\.additions).count).contains(hidden)
  }
}
