internal import Configuration
internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import MessageContent
internal import MirrorCheck
internal import Octets
internal import Platform
internal import SyncEngine
internal import SyncPlan
internal import SyncState

/// One mailbox read for a comparison: every file is opened, nothing is changed.
struct MailboxReading {
  /// What is to be compared.
  private(set) var mailbox: CheckedMailbox
  /// The mailbox on the server.
  let reference: MailboxReference
  /// The mailbox's folder.
  let directory: Path
  /// Where each file was seen, by base name.
  let paths: OctetTable<Path>
  /// What lies among the files and is no message of its own.
  let oddities: [MirrorDifference]
  /// Why nothing can be compared; nil where all can.
  let obstacle: MirrorDifference.Obstacle?

  /// Reads.
  ///
  /// - Throws: `SyncFailure`: of the connection, or about the mailbox.
  init(_ mailbox: MirroredMailbox, _ account: AccountReading) throws(SyncFailure) {
    let context = account.context
    let remote = try account.store.read(MailboxQuestion(mailbox.name))
    guard remote.missing == 0 else {
      throw .mailbox(.listIncomplete(missing: remote.missing, of: Int(remote.exists)))
    }
    let stored = try attempt(context.store.open(mailbox.id))
    directory = context.path(of: mailbox)
    let scan = try Self.scan(directory)
    var state: MailboxState?
    switch stored {
    case .present(let journal): state = journal.state
    case .absent, .untrusted: break
    case .newer(let file): throw .newerState(file)
    }
    obstacle = Self.obstacle(stored, remote, isThere: scan != nil)
    reference = MailboxReference(mailbox.name, remote.identity)
    oddities = obstacle == nil ? MirrorDifference.all(scan?.oddities ?? []) : []
    let directory = directory
    let tags = try attempt(TagFile.of(directory))
    var paths = OctetTable<Path>()
    var files: [CheckedFile] = []
    for file in scan?.files ?? FileTable() where !NoticeName.isOne(file.name.base) {
      let path = file.path(in: directory)
      let record = state?.uid(of: file.name.base).flatMap { state?.messages[$0] }
      guard let checked = Self.checked(file, path, tags, recorded: record?.identity) else {
        continue
      }
      paths[file.name.base] = path
      files.append(checked)
    }
    self.paths = paths
    self.mailbox = CheckedMailbox(
      base: obstacle == nil ? state?.sortedMessages ?? [] : [],
      detached: state?.detached ?? [],
      pendingExpunges: Set((state?.pendingExpunges ?? [:]).keys),
      files: obstacle == nil ? files : [],
      messages: obstacle == nil ? Array(remote.view.listed) : [],
      fetchSince: Self.fetchSince(context)
    )
    self.mailbox.isSent = mailbox.role == .sent
  }

  private static func scan(_ directory: Path) throws(SyncFailure) -> MaildirScan? {
    do throws(SystemError) {
      return try MaildirScan.scan(directory)
    } catch {
      guard error.isNotFound else { throw .system(error) }
      return nil
    }
  }

  private static func obstacle(
    _ stored: StateStore.Stored,
    _ remote: RemoteMailbox,
    isThere: Bool
  ) -> MirrorDifference.Obstacle? {
    switch stored {
    case .absent: return .notMirrored
    case .untrusted, .newer: return .damagedRecord
    case .present(let journal):
      guard isThere else { return .folderMissing }
      return journal.state.header.validity == remote.validity ? nil : .validityChanged
    }
  }

  /// The file with what it holds; nil where it is gone by now.
  private static func checked(
    _ file: ScannedFile,
    _ path: Path,
    _ tags: TagFile,
    recorded: ContentIdentity?
  ) -> CheckedFile? {
    let content: CheckedFile.Content
    do throws(SystemError) {
      guard let found = try MessageContents(of: path) else { return nil }
      let isRecorded = recorded.map(found.holds) ?? false
      content = .message(
        isRecorded ? recorded ?? found.identity : found.identity,
        wireSize: found.wireSize
      )
    } catch {
      content = .unreadable(error.description)
    }
    var checked = CheckedFile(
      name: file.name.base,
      flags: file.name.flags,
      isDetached: DetachedName.isOne(file.name.base),
      content: content
    )
    let changed = tags[base: file.name.base]
    (checked.added, checked.removed) = (changed.added, changed.removed)
    return checked
  }

  /// As the planner has it: servers may count the days of a window in another time zone.
  private static func fetchSince(_ context: MailboxContext) -> Int64? {
    switch context.rules.window {
    case .all: nil
    case .days(let days): (Clock.now() / 86400 - Int64(days) - 1) * 86400
    }
  }
}

extension MirrorDifference {
  /// What lies among the message files of a folder and is none of its own.
  static func all(_ oddities: [Oddity]) -> [MirrorDifference] {
    oddities.map { oddity in
      switch oddity {
      case .duplicate(_, let other): MirrorDifference(uid: nil, name: other.name.base, .namesake)
      case .notAFile(let file, _): MirrorDifference(uid: nil, name: file.name.base, .noFile)
      case .noBase(let file): MirrorDifference(uid: nil, name: file.name.octets, .noName)
      }
    }
  }
}
