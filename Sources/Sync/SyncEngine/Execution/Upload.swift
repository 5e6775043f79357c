internal import MailModel
internal import MailStore
internal import Maildir
internal import MessageContent
internal import Platform
internal import SyncPlan
internal import SyncState

/// A file on its way to the server.
struct Upload: MessageSource {
  /// The base name.
  var name: [UInt8]
  /// The Maildir, and where the file stood in it when it was read.
  var directory: Path
  var path: Path
  var content: MessageContents
  /// The flags of the file, as far as the server keeps them.
  var flags: SystemFlags
  /// The flags that the server is to give it.
  var sent: SystemFlags
  /// The keywords that it takes over from the message it is a new version of.
  var keywords: [[UInt8]]
  /// The message that it is a new version of, and whether the server has that no more.
  var replaced: UInt32?
  var isReplacedGone: Bool
  /// Whether it is remembered what the file looks like, so that a change of it is noticed.
  var isVersioned: Bool
  /// The message of another mailbox whose file it was, and which is on record there still.
  var origin: Intent.Origin?
  /// The number of its intent.
  var number: UInt64 = 0

  var marks: MessageFlags { MessageFlags(sent, keywords: keywords) }
  private var agreed: MessageFlags { MessageFlags(flags, keywords: keywords) }
  var arrival: Int64? { content.date }
  var wireSize: UInt64 { content.wireSize }

  /// Where the file stands now; nil where it is gone.
  func currentPath() throws(SystemError) -> Path? {
    try CurrentPath.find(name, in: directory, seenAt: path)
  }

  /// What is sent has to be what the intent says: a file that was written since it was read is not it.
  func open() throws(SystemError) -> WireReader {
    let path = try currentPath() ?? path
    let reader = try WireReader(path)
    guard let status = try FileSystem.status(path), FileVersion(status) == content.version else {
      throw SystemError.notFound(path)
    }
    return reader
  }

  /// The same, where the server has it as the message that it is a new version of.
  var inPlace: Upload {
    var upload = self
    upload.replaced = nil
    return upload
  }

  /// Whether the file is another one than the one that was read.
  func wasWritten() throws(SystemError) -> Bool {
    guard let path = try currentPath(), let status = try FileSystem.status(path) else {
      return false
    }
    return FileVersion(status) != content.version
  }

  /// What is recorded before it is sent.
  func intent(uidNext: UInt32) -> Intent.Upload {
    Intent.Upload(
      name: name,
      size: content.wireSize,
      identity: content.identity,
      flags: agreed,
      uidNext: uidNext,
      replacing: replaced,
      origin: origin
    )
  }

  /// What is recorded once its UID is known; `message` is what the server made of it, where it told.
  func records(uid: UInt32, as message: RemoteMessage?) -> [StateRecord] {
    let record = BaseRecord(
      uid: uid,
      name: name,
      flags: agreed,
      size: message?.size ?? content.wireSize,
      date: message?.date ?? content.date,
      identity: content.identity,
      completeness: .whole
    )
    // In this order: the old version is on its way out before anything else takes its name.
    let old = replaced.map { uid -> StateRecord in
      isReplacedGone ? .gone(uid: uid) : .pendingExpunge(uid: uid, PendingExpunge(isFlagged: false))
    }
    return (old.map { [$0] } ?? []) + StateRecord.arrival(record, number: number, from: origin)
      + (isVersioned ? [.version(uid: uid, content.version)] : [])
  }
}
