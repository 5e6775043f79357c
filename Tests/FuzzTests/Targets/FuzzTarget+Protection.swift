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
    encrypt(octets, status)
  }

  /// An output of octets that may be packets, in armour.
  private static func encrypt(_ octets: [UInt8], _ status: [UInt8]) {
    guard let number = KeyNumber("52F019D7A1836255342D9DE057B65259D17DFFCE".utf8) else { return }
    let key = ListedKey(
      method: .openPGP,
      fingerprint: number,
      userIDs: [],
      fault: nil,
      created: nil,
      expires: nil,
      signers: [number],
      encrypters: [number]
    )
    let encryption = ProtectionPlan.Encryption(recipients: [key])
    guard let plan = ProtectionPlan(.openPGP, signer: nil, encryption: encryption) else { return }
    let ends = ["BEGIN", "END"].map { Array("-----\($0) PGP MESSAGE-----\n".utf8) }
    let output = ends[0] + [10] + Base64.encode(octets) + [10] + ends[1]
    let lines = "[GNUPG:] BEGIN_ENCRYPTION 2 9\n[GNUPG:] END_ENCRYPTION\n"
    let message = OutgoingMessage(fields: [], parts: [.text([])])
    let written = try? ProtectionWriter.write(message, plan, token: [65]) { _ in
      .ended(0, status: Array(lines.utf8), output: output)
    }
    // The ID of the key is in what is for it.
    precondition(written == nil || octets.firstRange(of: number.digits.idOctets) != nil)
  }
}

extension [UInt8] {
  /// The ID of a key by the digits of its fingerprint.
  fileprivate var idOctets: [UInt8] { Hex.decode(suffix(16)) ?? [] }
}
