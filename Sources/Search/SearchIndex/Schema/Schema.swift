internal import MIME
internal import Octets
internal import Query
internal import Threads

/// What terms, values and metadata mean.
///
/// Words are in small letters, so a capital before a term tells its kind.
///
/// No term is on every document by design; where mail makes one so, the shim asks for all documents instead.
enum Schema {
  /// Raised when other terms are made of the same mail, or something is kept otherwise.
  ///
  /// An index of an earlier number is made anew by the next scan, unless it can be taken over.
  static let number = 5

  /// The first that can be added to: the first change gives it the number of this version, so that earlier ones, which do not
  /// know all of its parts, leave it alone.
  static let oldestWritable = 4

  /// The first that can be read: until it is made anew, such an index answers as far as it goes.
  static let oldestReadable = 3

  /// How many words a beginning of words may stand for.
  static let wordLimit = 20_000

  /// Kinds of terms.
  enum Prefix {
    static let subject = UInt8(ascii: "S")
    static let from = UInt8(ascii: "F")
    static let to = UInt8(ascii: "T")
    static let cc = UInt8(ascii: "C")
    /// Hidden copies; earlier versions of the program made them ``to`` and ``cc``.
    static let bcc = UInt8(ascii: "B")
    static let attachment = UInt8(ascii: "A")
    /// Hosts of links.
    static let host = UInt8(ascii: "U")
    /// Message-ID.
    static let id = UInt8(ascii: "Q")
    /// Thread: its 8 octets.
    static let thread = UInt8(ascii: "G")
    /// Link: the 8 octets of the key of the message's id, and of each id it refers to.
    static let link = UInt8(ascii: "L")
    /// Subject link: the 8 octets of its key.
    static let subjectLink = UInt8(ascii: "J")
    static let tag = UInt8(ascii: "K")
    static let feature = UInt8(ascii: "H")
    /// Type of a part.
    static let type = UInt8(ascii: "M")
    /// Mailing list.
    static let list = UInt8(ascii: "I")
    /// What a server says of the sender, whether it is trusted or not.
    static let verdict = UInt8(ascii: "V")
    /// Filter whose texts are in: the 8 octets of its key.
    static let filter = UInt8(ascii: "X")
  }

  /// Values.
  enum Slot {
    static let date: UInt32 = 0
    static let thread: UInt32 = 1
    static let size: UInt32 = 2
    /// The revision that changed the message last.
    static let revision: UInt32 = 3
    /// The numbers of its senders and receivers (``PeopleTable``), as ``PeopleNumbers`` keeps them.
    static let people: UInt32 = 4
    /// The first of those that tell a flag each; see ``slot(_:)``.
    static let flags: UInt32 = 16
    /// The first of those that tell a label each; see ``LabelTable``.
    static let labels: UInt32 = 1 << 16
  }

  /// Keys of metadata.
  enum Key {
    static let schema = "schema"
    static let folders = "folders"
    /// ``LabelTable``.
    static let labels = "labels"
    /// How many transactions have changed messages.
    static let revision = "revision"
    static let fingerprints = "fingerprints"
    static let subjects = "subject-threading"
    static let unread = "unreadable"
    /// How often the main database was changed, which tells the recent one that belongs to it.
    ///
    /// Kept in the main one alone.
    static let epoch = "epoch"

    /// ``IndexRevision/uuid``, kept in the main database alone.
    static let uuid = "uuid"

    /// ``DateBounds`` of the main database, kept in it alone.
    static let bounds = "dates"

    /// How many people have numbers.
    static let people = "people"

    /// What the newest database answers for.
    static let carried = [folders, labels, revision, fingerprints, subjects, unread, people]
  }

  /// The prefix of the words of a field; 0 for the body.
  static func prefix(_ field: TextField) -> UInt8 {
    switch field {
    case .body: 0
    case .subject: Prefix.subject
    case .from: Prefix.from
    case .to, .openTo: Prefix.to
    case .cc, .openCc: Prefix.cc
    case .bcc: Prefix.bcc
    case .attachment: Prefix.attachment
    case .link: Prefix.host
    }
  }

  /// A term of a kind; what the library could not take is cut, and told apart by a checksum.
  static func term(_ prefix: UInt8, _ text: some Collection<UInt8>) -> [UInt8] {
    guard text.count > termLimit else { return [prefix] + text }
    return [prefix] + text.prefix(termLimit - 16) + Hex.digits(Hash64.of(text))
  }

  /// The library takes 245 octets; a NUL counts twice.
  private static let termLimit = 120

  /// The part of a text that stays as it is in a term, however long the text.
  static func uncut(_ text: [UInt8]) -> ArraySlice<UInt8> { text.prefix(termLimit - 16) }

  static func id(_ id: [UInt8]) -> [UInt8] { term(Prefix.id, id) }
  static func thread(_ thread: ThreadID) -> [UInt8] { [Prefix.thread] + octets(thread.rawValue) }
  static func link(_ key: LinkKey) -> [UInt8] { [Prefix.link] + octets(key.rawValue) }
  /// The term of what a server says: first letter of the verdict, fields Received above it, and its name.
  static func verdict(_ claim: VerdictClaim) -> [UInt8] {
    let kind = claim.kind.rawValue.utf8.prefix(1)
    return term(Prefix.verdict, kind + Array(decimal: claim.hops) + claim.server)
  }
  static func subjectLink(_ key: LinkKey) -> [UInt8] { [Prefix.subjectLink] + octets(key.rawValue) }
  static func tag(_ tag: Tag) -> [UInt8] { term(Prefix.tag, tag.rawValue.utf8) }

  /// The slot that is set where a message has a tag that comes and goes with its flags; nil for other tags.
  ///
  /// Flags are values, not terms: to change a term the library reads the positions of all words of the message.
  static func slot(_ tag: Tag) -> UInt32? {
    let flags: [Tag] = [.unread, .flagged, .replied, .passed, .draft, .trashed]
    return flags.firstIndex(of: tag).map { Slot.flags + UInt32($0) }
  }

  /// The key of metadata under which the document of a file is; all of a folder begin with ``paths(in:)``.
  static func path(_ file: StoredFile) -> [UInt8] {
    paths(in: file.folder) + term(letter(isNew: file.isNew), file.name)
  }

  /// What stands before the name in the key of a file.
  static func letter(isNew: Bool) -> UInt8 { UInt8(ascii: isNew ? "n" : "c") }

  /// Whether a text of so many octets stays as it is in a term.
  static func isUncut(_ count: Int) -> Bool { count <= termLimit }

  static func paths(in folder: Int) -> [UInt8] {
    [UInt8](ascii: "file:") + Array(decimal: folder) + [ASCII.slash]
  }

  /// A moment as a value: later ones are greater, octet by octet.
  static func date(_ seconds: Int64) -> [UInt8] {
    let limit: Int64 = 1 << 38
    let shifted = UInt64(max(-limit, min(limit - 1, seconds)) + limit)
    return Array(octets(shifted).suffix(5))
  }

  /// The seconds of a moment that ``date(_:)`` or ``date(_:of:)`` made a value.
  static func seconds(ofDate value: [UInt8]) -> Int64 {
    Int64(UInt64(octets: value.prefix(5))) - 1 << 38
  }

  /// A moment as the value that messages are sorted by: of those of one second their ids decide, so that the order does not depend
  /// on when they came.
  static func date(_ seconds: Int64, of message: LinkKey) -> [UInt8] {
    date(seconds) + octets(message.rawValue).prefix(3)
  }

  /// A value that comes behind no message of that second.
  static func lastDate(_ seconds: Int64) -> [UInt8] { date(seconds) + [0xFF, 0xFF, 0xFF] }

  static func size(_ size: UInt64) -> [UInt8] {
    Array(octets(min(size, (1 << 40) - 1)).suffix(5))
  }

  /// A revision as a value: later ones are greater, octet by octet.
  static func revision(_ number: UInt64) -> [UInt8] {
    Array(octets(min(number, (1 << 40) - 1)).suffix(5))
  }

  /// Eight octets, the highest first.
  static func octets(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - UInt64($0) * 8)) }
  }
}

extension Schema {
  /// The revision of a database: how many transactions have changed messages of it.
  static func revision(of database: XapianDatabase) throws(IndexError) -> UInt64 {
    UInt64(String(decoding: try database.metadata(Key.revision), as: UTF8.self)) ?? 0
  }
}
