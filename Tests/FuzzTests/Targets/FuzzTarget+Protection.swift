import MIME
import Octets
import Protection

/// Structures of S/MIME, and messages that say to be signed or encrypted.
extension FuzzTarget {
  /// What is taken out of a structure lies in it, octet by octet.
  static func readCMS(_ octets: [UInt8]) {
    guard let content = CMSReader.signedContent(octets[...]) else { return }
    precondition(!CMSReader.isDetached(octets[...]))
    precondition(content.count < octets.count)
    for end in octets.indices.suffix(3) where octets[end] != 0 {
      _ = CMSReader.signedContent(octets[..<end])
    }
  }

  /// Whatever a message is, and whatever the programs say: without all the lines it takes, nothing is good or decrypted.
  ///
  /// The octets are the message, and behind a line `%%` what the programs say of it.
  static func readProtection(_ octets: [UInt8]) {
    let mark = [UInt8](ascii: "\n%%\n")
    let cut = octets.firstRange(of: mark)
    let message = Message([UInt8](octets[..<(cut?.lowerBound ?? octets.endIndex)]))
    let status = cut.map { [UInt8](octets[$0.upperBound...]) } ?? []
    let wishes = ProtectionWishes(verifies: true, decrypts: true)
    let reading = ProtectionReader.read(message, wishes, .native) { _ in
      .ended(0, status: status, output: octets)
    }
    let says = { (word: StaticString) in status.firstRange(of: [UInt8](ascii: word)) != nil }
    for signature in reading.signatures.flatMap(\.statuses) where signature.verdict.isIntact {
      precondition(says("GOODSIG") && says("VALIDSIG") && says("NEWSIG"))
    }
    for encryption in reading.encryptions where encryption.isDecrypted {
      precondition(says("DECRYPTION_OKAY"))
    }
    _ = (reading.header.fields.count, reading.coverage, reading.sender)
    write(octets, status: status)
  }

  /// Whatever lists keys, and whatever comes out of a program: without the line that it takes, nothing is written.
  private static func write(_ octets: [UInt8], status: [UInt8]) {
    for method in ProtectionMethod.allCases {
      for key in KeyListing.keys(in: octets, method) ?? [] {
        precondition(key.fingerprint.isFingerprint)
        guard let plan = ProtectionPlan(method, signer: key, encryption: nil) else { continue }
        let message = OutgoingMessage(fields: [], parts: [.text(octets)])
        let written = try? ProtectionWriter.write(message, plan, token: [65]) { _ in
          .ended(0, status: status, output: octets)
        }
        precondition(written == nil || status.firstRange(of: [UInt8](ascii: "SIG_CREATED")) != nil)
      }
    }
    _ = CMSReader.recipientCount(octets[...])
  }
}
