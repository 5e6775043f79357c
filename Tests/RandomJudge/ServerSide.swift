import MemoryStore

/// The server's side of a scene: its mail, what another client of the user does there, and how runs are made against it.
///
/// Mailboxes have the names of the model. What cannot be done, since what it is about is gone, gives false.
protocol ServerSide: AnyObject {
  typealias Message = MemoryMailbox.Message

  /// The lines of an account's configuration that say where it is, and who the user is.
  var account: String { get }

  // MARK: What is there

  /// The names of all mailboxes, in order.
  var mailboxes: [String] { get }
  /// The messages of a mailbox by UID; none where there is no such mailbox.
  func messages(_ box: String) -> [(uid: UInt32, message: Message)]
  /// What each mailbox holds, as a number that is another one once that changes.
  var fingerprints: [String: Int] { get }

  // MARK: What another client does

  /// Puts a message into a mailbox; its date is in seconds since 1970.
  func append(_ octets: [UInt8], _ flags: Set<String>, date: Int64, to box: String) -> Bool
  /// Moves a message, by copying it and removing it where that is asked for, or the server knows no other way.
  func move(_ uid: UInt32, from box: String, to: String, isByCopy: Bool) -> Departure
  func copy(_ uid: UInt32, from box: String, to: String) -> Bool
  func change(_ uid: UInt32, in box: String, _ change: FlagChange) -> Bool
  func expunge(_ uids: [UInt32], in box: String) -> Bool
  func create(_ box: String) -> Bool
  func rename(_ box: String, to: String) -> Bool
  /// Removes a mailbox with the mail in it.
  func delete(_ box: String) -> Bool
  /// Loses the list of UIDs: all messages get new ones, and the mailbox another UIDVALIDITY.
  func renumber(_ box: String) -> Bool

  // MARK: Runs

  /// Makes one run, or has a watch sync for a while, with all that happens in its midst.
  func run(_ machine: Machine, _ order: RunOrder, in world: World) throws -> RunEnd
  /// All sides were judged, and hold the same.
  func agreed(_ machines: [Machine])
  /// Waits until fingerprints of directories are trusted.
  func wait()
  /// The scene is over.
  func discard()
}

/// What became of a message that was to be moved.
enum Departure {
  case moved, refused
  /// The copy is there, and so is the message, perhaps marked: its mailbox was renamed meanwhile.
  case copied
}

/// A flag that is set or taken away.
struct FlagChange {
  let name: String
  let isAdded: Bool
}
