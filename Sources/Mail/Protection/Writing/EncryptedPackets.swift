internal import Octets

/// For whom an encrypted message of OpenPGP is, as its packets have it (RFC 9580 §5.1).
struct EncryptedPackets {
  /// The numbers of the keys that can decrypt it; nil for one that is hidden.
  let recipients: [KeyNumber?]

  /// Nil for anything but keys of recipients, and behind them octets that are encrypted and protected against changes.
  init?(_ octets: [UInt8]) {
    var rest = octets[...]
    var recipients: [KeyNumber?] = []
    while let packet = OpenPGPPacket(&rest) {
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
