package import MIME
package import MessageContent
internal import Octets
package import Platform
internal import SyncPlan
internal import Hashing

/// Seals what partial files of one account say of themselves, with a secret that only this account has.
///
/// So a message that is sent with such a field is never taken for a partial file.
package struct PartialSeals: Sendable {
  private static let keyLength = 32
  /// Octets of a seal; it has two digits for each.
  private static let length = 16

  private let key: [UInt8]

  private init(key: [UInt8]) {
    self.key = key
  }

  /// A new mark for a message of that RFC822.SIZE and hash of the Message-ID.
  package func mark(size: UInt64, messageID: UInt64) -> PartialMark {
    let name = Hex.encode(Hashes.random(16))
    return PartialMark(size: size, name: name, seal: seal(size, name, messageID))
  }

  /// What a file says of itself, if it was this account that wrote it; else nil.
  package func mark(in contents: MessageContents) -> PartialMark? {
    contents.marks.fields.first { !$0.isInside && hasSealed($0) }?.mark
  }

  /// Whether it was this account that wrote a field, for a message of that Message-ID.
  package func hasSealed(_ field: PartialMarks.Field) -> Bool {
    let id = field.messageID.map { HeaderFacts.hash(ofMessageID: $0) } ?? 0
    return field.mark.seal == seal(field.mark.size, field.mark.name, id)
  }

  private func seal(_ size: UInt64, _ name: [UInt8], _ messageID: UInt64) -> [UInt8] {
    let text = [UInt8](decimal: size) + [ASCII.space] + name + [ASCII.space] + Hex.digits(messageID)
    return Hex.encode([UInt8](Hashes.hmacSHA256(key: key, message: text).prefix(Self.length)))
  }

  // MARK: The secret

  /// Those of the account with that state; nil where it never wrote a partial file.
  package static func find(_ store: StateStore) throws(SystemError) -> PartialSeals? {
    guard let octets = try FileSystem.readFile(store.partialKey, limit: 1 << 10),
      let key = Hex.decode(octets.prefix { $0 != ASCII.lineFeed }), key.count == keyLength
    else { return nil }
    return PartialSeals(key: key)
  }

  /// The same; where there are none they are made, and the secret is durable when it returns.
  ///
  /// Mailboxes whose first partial files are fetched at once share one secret: nothing else tells these files from content.
  package static func make(_ store: StateStore) throws(SystemError) -> PartialSeals {
    try making.withLock { (_) throws(SystemError) in
      if let known = try find(store) { return known }
      let key = Hashes.random(keyLength)
      try AtomicFile.replace(store.partialKey, with: Hex.encode(key) + [ASCII.lineFeed])
      return PartialSeals(key: key)
    }
  }

  /// Held by the one that makes a secret: of several processes the lock of the account lets only one do so.
  private static let making = Monitor(())
}

extension StateStore {
  /// The file of the secret that partial files are sealed with.
  var partialKey: Path { directory.appending("partial-key") }
}
