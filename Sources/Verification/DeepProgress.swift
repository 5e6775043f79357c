internal import Octets
internal import Platform

/// How far a deep verification of an account came, so that the next one goes on from there.
///
/// The file `verifying` in the account's directory of the state home has a line `magnum-verifying 1`, then one for each
/// mailbox: its id, its UIDVALIDITY, the UID up to which messages were compared, and the UIDs of those that differed,
/// which are compared again. A file that says something else counts as absent.
struct DeepProgress: Equatable {
  /// How far it came in a mailbox.
  struct Place: Equatable {
    /// The UIDVALIDITY that the UIDs belong to.
    var validity: UInt32
    /// The messages up to this one were compared.
    var uid: UInt32 = 0
    /// Those that differed.
    var unequal: Set<UInt32> = []

    func isCompared(_ uid: UInt32) -> Bool { uid <= self.uid && !unequal.contains(uid) }

    mutating func note(_ unequal: [UInt32], upTo uid: UInt32) {
      self.uid = max(self.uid, uid)
      self.unequal.formUnion(unequal)
    }
  }

  private var places: [UInt64: Place] = [:]

  /// How far it came in the mailbox; nowhere where its UIDVALIDITY was another one.
  func place(of mailbox: UInt64, _ validity: UInt32) -> Place {
    guard let place = places[mailbox], place.validity == validity else {
      return Place(validity: validity)
    }
    return place
  }

  mutating func set(_ place: Place, of mailbox: UInt64) { places[mailbox] = place }

  // MARK: Disk

  private static let title = "magnum-verifying 1"

  private static func file(_ memory: Path) -> Path { memory.appending("verifying") }

  /// What the file in the account's directory says; nothing where there is none.
  static func load(_ memory: Path) -> DeepProgress {
    let octets = (try? FileSystem.readFile(file(memory), limit: 64 << 20)) ?? nil
    var progress = DeepProgress()
    let lines = String(decoding: octets ?? [], as: UTF8.self).split(separator: "\n")
    guard lines.first.map(String.init) == title else { return progress }
    for line in lines.dropFirst() {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 4, let mailbox = UInt64(words[0], radix: 16),
        let validity = UInt32(words[1]), let uid = UInt32(words[2])
      else { return DeepProgress() }
      let unequal = Set(words[3].split(separator: ",").compactMap { UInt32($0) })
      progress.places[mailbox] = Place(validity: validity, uid: uid, unequal: unequal)
    }
    return progress
  }

  /// Writes the file; durable when it returns.
  func save(_ memory: Path) throws(SystemError) {
    try FileSystem.makeDirectories(memory)
    var text = Self.title + "\n"
    for (mailbox, place) in places.sorted(by: { $0.key < $1.key }) {
      let unequal = place.unequal.sorted().map(String.init).joined(separator: ",")
      text += "\(String(mailbox, radix: 16)) \(place.validity) \(place.uid) \(unequal)\n"
    }
    try AtomicFile.replace(Self.file(memory), with: Array(text.utf8))
  }

  static func remove(_ memory: Path) throws(SystemError) {
    guard try FileSystem.status(file(memory)) != nil else { return }
    try FileSystem.remove(file(memory))
  }
}
