package import MailModel
internal import Octets

/// What is recorded of restores into the mailboxes of an account, so that a further one uploads nothing twice.
///
/// A line for each thing that was begun or found out:
///
///     magnum-restored 1
///     at user mail.example.org
///     in 1700000000 Archive
///     begun 12 DIGEST
///     there 12 same DIGEST
///     none DIGEST
///     breaks DIGEST
///
/// `at` says of whose mailboxes on which server all behind it speaks: to others the same UIDVALIDITY and UIDs mean other
/// messages. Older versions did not write it: what stands before the first one may be about anybody's. `in` says of which
/// mailbox, as it stands on the wire, and UIDVALIDITY the lines behind it speak. `begun`: a file of this digest is about to be
/// sent, and UIDNEXT was 12. `there`: the message with this UID is that file. `none`: what was begun did not arrive. `breaks`:
/// the server hung up over a file of this digest each time. Lines that mean nothing, such as one that a killed run left half
/// written, are skipped.
package struct RestoreRecords: Hashable, Sendable {
  /// What is known of the octets of a message that was uploaded.
  package enum Proof: String, Hashable, Sendable, CaseIterable {
    /// It was not fetched again.
    case unseen
    /// They are those of the file.
    case same
    /// The server has other ones than it was given.
    case other
  }

  /// Something that was begun or found out in a mailbox.
  package enum Line: Hashable, Sendable {
    /// A file of this digest is about to be sent.
    case begun(WireDigest, uidNext: UInt32)
    /// The message with this UID is a file of this digest.
    case there(WireDigest, uid: UInt32, Proof)
    /// What was begun of this digest did not arrive.
    case none(WireDigest)
    /// The server hung up over a file of this digest each time.
    case breaks(WireDigest)
  }

  /// What is recorded of one mailbox under one UIDVALIDITY.
  package struct Mailbox: Hashable, Sendable {
    private var uids: [WireDigest: UInt32] = [:]
    /// Those of digests that several messages have.
    private var others: [WireDigest: [UInt32]] = [:]
    private var proofs: [UInt32: Proof] = [:]

    /// What was begun and not answered for, with the UIDNEXT of before, in its order.
    package private(set) var open: [(digest: WireDigest, uidNext: UInt32)] = []

    /// The files over which the server hung up each time, and that it did not take since.
    package private(set) var breaking: Set<WireDigest> = []

    /// Nothing is recorded.
    package init() {}

    /// Whether no message is recorded.
    package var isEmpty: Bool { uids.isEmpty }

    /// The messages that are recorded.
    package var known: Set<UInt32> { Set(proofs.keys) }

    /// The highest UID that is recorded; nil where there is none.
    package private(set) var last: UInt32?

    /// What is known of the octets of a message; nil where it is not recorded.
    package func proof(of uid: UInt32) -> Proof? { proofs[uid] }

    /// The messages that are recorded as files of this digest.
    package func messages(of digest: WireDigest) -> [UInt32] {
      guard let first = uids[digest] else { return [] }
      return [first] + (others[digest] ?? [])
    }

    /// Applies a section of the file.
    package mutating func apply(section octets: ArraySlice<UInt8>) {
      RestoreRecords.forEachLine(octets) { if let line = Line($0) { applyLine(line) } }
    }

    /// Applies a line of the file.
    package mutating func applyLine(_ line: Line) {
      switch line {
      case .begun(let digest, let uidNext): open.append((digest, uidNext))
      case .none(let digest): close(digest)
      case .breaks(let digest): breaking.insert(digest)
      case .there(let digest, let uid, let proof):
        breaking.remove(digest)
        if proofs.updateValue(proof, forKey: uid) == nil {
          if uids[digest] == nil {
            uids[digest] = uid
          } else {
            others[digest, default: []].append(uid)
          }
          last = max(last ?? uid, uid)
          close(digest)
        }
      }
    }

    private mutating func close(_ digest: WireDigest) {
      if let place = open.firstIndex(where: { $0.digest == digest }) { open.remove(at: place) }
    }

    package static func == (left: Mailbox, right: Mailbox) -> Bool {
      left.uids == right.uids && left.others == right.others && left.proofs == right.proofs
        && left.breaking == right.breaking
        && left.open.elementsEqual(right.open) { $0 == $1 }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(uids.count) }
  }

  private var sections: [Place: [Range<Int>]] = [:]
  private var unnamed: [Place: [Range<Int>]] = [:]

  /// Whether what is written behind it speaks of the mailboxes that are meant.
  package private(set) var endsAtOrigin = false

  private struct Place: Hashable {
    let mailbox: [UInt8]
    let validity: UInt32
  }

  /// Nothing is recorded.
  package init() {}

  /// Where in the file stands what is recorded of a mailbox under that UIDVALIDITY, in its order.
  package func sections(of name: MailboxName, _ validity: UInt32) -> [Range<Int>] {
    sections[Place(mailbox: name.wire, validity: validity)] ?? []
  }

  /// The same of what names no user and server.
  package func unnamedSections(of name: MailboxName, _ validity: UInt32) -> [Range<Int>] {
    unnamed[Place(mailbox: name.wire, validity: validity)] ?? []
  }

  /// Notes where in the file further lines of a mailbox stand.
  package mutating func add(_ section: Range<Int>, of name: MailboxName, _ validity: UInt32) {
    sections[Place(mailbox: name.wire, validity: validity), default: []].append(section)
  }

  // MARK: Octets

  /// The first line of the file.
  package static let title = [UInt8](ascii: "magnum-restored 1\n")

  /// What the file has of which mailbox of an origin; nothing where it is of another kind.
  package init(octets: [UInt8], of origin: [UInt8]) {
    guard octets.starts(with: Self.title) else { return }
    let own = Self.origin(origin).dropLast()
    var isNamed = false
    var current: (place: Place, start: Int)?
    Self.forEachLine(octets[Self.title.count...]) { line in
      let place = Self.place(line)
      let isOrigin = line.starts(with: "at ".utf8)
      guard place != nil || isOrigin else { return }
      if let current { add(current.start..<line.startIndex, of: current.place, isNamed) }
      if isOrigin { (isNamed, endsAtOrigin) = (true, line.elementsEqual(own)) }
      current = endsAtOrigin || !isNamed ? place.map { ($0, line.endIndex) } : nil
    }
    if let current { add(current.start..<octets.count, of: current.place, isNamed) }
  }

  private mutating func add(_ section: Range<Int>, of place: Place, _ isNamed: Bool) {
    if isNamed {
      sections[place, default: []].append(section)
    } else {
      unnamed[place, default: []].append(section)
    }
  }

  /// Gives each line without its end.
  fileprivate static func forEachLine(
    _ octets: ArraySlice<UInt8>,
    _ take: (ArraySlice<UInt8>) -> Void
  ) {
    var rest = octets
    while !rest.isEmpty {
      let end = rest.firstIndex(of: ASCII.lineFeed) ?? rest.endIndex
      take(rest[..<end])
      rest = rest[min(end + 1, rest.endIndex)...]
    }
  }

  /// The line that says of whose mailboxes all behind it speaks; `origin` are user and server in one line.
  package static func origin(_ origin: [UInt8]) -> [UInt8] {
    [UInt8](ascii: "at ") + origin + [ASCII.lineFeed]
  }

  /// The line that says of which mailbox those behind it speak.
  package static func opening(_ name: MailboxName, _ validity: UInt32) -> [UInt8] {
    let escaped = PercentEscape.escape(name.wire) { $0 <= 0x20 || $0 >= 0x7F }
    return [UInt8](ascii: "in ") + [UInt8](decimal: validity) + [ASCII.space] + escaped
      + [ASCII.lineFeed]
  }

  private static func place(_ line: ArraySlice<UInt8>) -> Place? {
    guard line.starts(with: "in ".utf8) else { return nil }
    var cursor = Cursor(Array(line))
    guard cursor.skip("in "), let validity = cursor.decimal().flatMap({ UInt32(exactly: $0) }),
      cursor.skip(ASCII.space), let name = PercentEscape.unescape(cursor.takeAll())
    else { return nil }
    return Place(mailbox: name, validity: validity)
  }
}
