internal import MailModel
internal import Octets
internal import Platform
internal import Hashing

/// What a deep verification that did not come to its end has compared, so that the next one of the same mailboxes goes on
/// from there.
///
/// A file in the account's directory of the state home, `verifying` for all mailboxes, else with a hash of the patterns
/// behind it, has a line `magnum-verifying 2`, then one for each mailbox: its id, its UIDVALIDITY, and the UIDs of the
/// messages whose octets were the same, as `1-17,20`. A file that says something else counts as absent, and so does one
/// that was not written for 30 days.
struct DeepProgress {
  private struct Place {
    let validity: UInt32
    let uids: Set<UInt32>
  }

  private static let fileName = [UInt8](ascii: "verifying")
  private static let title = "magnum-verifying 2"
  private static let lifetime: Int64 = 30 * 86400
  private static let sizeLimit = 64 << 20
  private static let uidLimit = 10_000_000

  private let memory: Path
  private let name: [UInt8]
  private var places: [UInt64: Place] = [:]

  /// What the last run left in the account's directory; `patterns` are those of the mailboxes that are meant, none for all.
  init(_ memory: Path, _ patterns: [MailboxPattern], now: Int64) {
    self.memory = memory
    name = Self.name(patterns)
    let file = memory.appending(name)
    guard let status = (try? FileSystem.status(file)) ?? nil,
      status.fingerprint.modified / 1_000_000_000 > now - Self.lifetime,
      let octets = (try? FileSystem.readFile(file, limit: Self.sizeLimit)) ?? nil
    else { return }
    places = Self.places(octets) ?? [:]
  }

  /// The messages of a mailbox whose octets were the same; none where its UIDVALIDITY was another one.
  func compared(in mailbox: UInt64, _ validity: UInt32) -> Set<UInt32> {
    guard let place = places[mailbox], place.validity == validity else { return [] }
    return place.uids
  }

  /// Writes down what was compared of a mailbox; durable when it returns.
  mutating func recordCompared(
    _ uids: Set<UInt32>,
    in mailbox: UInt64,
    _ validity: UInt32
  ) throws(SystemError) {
    places[mailbox] = Place(validity: validity, uids: uids)
    try FileSystem.makeDirectories(memory)
    var text = Self.title + "\n"
    for (mailbox, place) in places.sorted(by: { $0.key < $1.key }) {
      text += "\(String(mailbox, radix: 16)) \(place.validity) \(Self.text(place.uids))\n"
    }
    try AtomicFile.replace(memory.appending(name), with: Array(text.utf8))
  }

  /// The run came to its end: the next one compares all anew.
  func remove() throws(SystemError) {
    let file = memory.appending(name)
    guard try FileSystem.status(file) != nil else { return }
    try FileSystem.remove(file)
  }

  // MARK: Text

  private static func name(_ patterns: [MailboxPattern]) -> [UInt8] {
    guard !patterns.isEmpty else { return fileName }
    let texts = patterns.map(\.octets).sorted { $0.lexicographicallyPrecedes($1) }
    var hash = SHA256()
    for text in texts { hash.update(text + [0]) }
    return fileName + "-".utf8 + Hex.encode(hash.finish().prefix(8))
  }

  private static func places(_ octets: [UInt8]) -> [UInt64: Place]? {
    let lines = String(decoding: octets, as: UTF8.self).split(separator: "\n")
    guard lines.first.map(String.init) == title else { return nil }
    var places: [UInt64: Place] = [:]
    for line in lines.dropFirst() {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 3, let mailbox = UInt64(words[0], radix: 16),
        let validity = UInt32(words[1]), let uids = uids(words[2])
      else { return nil }
      places[mailbox] = Place(validity: validity, uids: uids)
    }
    return places
  }

  private static func uids(_ text: Substring) -> Set<UInt32>? {
    var uids: Set<UInt32> = []
    for range in text.split(separator: ",") {
      let ends = range.split(separator: "-").map { UInt32($0) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2,
        first <= last, uids.count + Int(last - first) < uidLimit
      else { return nil }
      uids.formUnion(first...last)
    }
    return uids
  }

  private static func text(_ uids: Set<UInt32>) -> String {
    var ranges: [ClosedRange<UInt32>] = []
    for uid in uids.sorted() {
      if let last = ranges.last, last.upperBound == uid - 1 {
        ranges[ranges.count - 1] = last.lowerBound...uid
      } else {
        ranges.append(uid...uid)
      }
    }
    return ranges.map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
    }.joined(separator: ",")
  }
}
