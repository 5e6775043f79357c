internal import MIME
internal import MailModel
internal import MailStore
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

// Files without a message.
extension OutsideGroup {
  /// The messages of a mailbox of the group without a record whose files lie outside, as far as names tell.
  ///
  /// These files were moved there before anything was recorded of them, or since their records were lost.
  func claimed(in mailbox: OpenMailbox) throws(SyncFailure) -> Set<UInt32> {
    guard SyncRule.outside.isOn, mailbox.unknown.first != nil else { return [] }
    let misplaced = try MisplacedFileSearch(context, records, opened).files(of: mailbox)
    guard !misplaced.isEmpty else { return [] }
    let sizes = Dictionary(first: mailbox.unknown.map { ($0.uid, $0.size) })
    var claimed: Set<UInt32> = []
    for file in misplaced {
      guard let size = sizes[file.key.uid], Self.mayBe(file.name, ofSize: size),
        try !recorded.knows(file.name, in: file.directory)
      else { continue }
      claimed.insert(file.key.uid)
    }
    return claimed
  }

  /// Whether a file of that base name may be of a message of that size: a server that was put back gives UIDs again.
  private static func mayBe(_ name: [UInt8], ofSize size: UInt64?) -> Bool {
    let own = Trace(size: name.withUnsafeBytes { OwnName($0) }?.wireSize)
    return Sameness.compare(own, Trace(size: size), .inPlace).level != .no
  }

  /// Files that lie outside the group.
  struct Displaced {
    /// The base names that the records have for them.
    var names: OctetSet = []
    /// Those whose file lies in a mailbox that is mirrored.
    var inMirrored: OctetSet = []

    fileprivate mutating func insert(_ name: [UInt8], isMirrored: Bool) {
      names.insert(name)
      if isMirrored { inMirrored.insert(name) }
    }
  }

  /// Those of the records whose files lie outside the group, under that name or another; nil where directories changed
  /// while they were read.
  func displaced(_ records: [BaseRecord]) throws(SyncFailure) -> Displaced? {
    guard SyncRule.outside.isOn, !records.isEmpty else { return Displaced() }
    let own = Set(group.map(\.directory))
    let names = OctetSet(records.map(\.name))
    let places = try attempt(NameSearch(context.trees, excluding: own).places(of: names))
    guard let places else { return nil }
    let mirrored = try mirroredOutside()
    let origins = Set(group.flatMap(\.state.origins.values))
    var displaced = Displaced()
    for (name, directories) in places {
      for directory in directories {
        let isMirrored = mirrored.contains(directory)
        // A detached one was there before: nothing of it is to be seen by the next run either.
        if try recorded.knows(name, in: directory) {
          guard isMirrored, try isLeftOnRecord(name, in: directory, origins) else { continue }
        }
        displaced.insert(name, isMirrored: isMirrored)
      }
    }
    for (name, directory) in try copies(ofPartial: records) {
      displaced.insert(name, isMirrored: mirrored.contains(directory))
    }
    let rest = records.filter { !displaced.names.contains($0.name) && $0.identity != nil }
    guard !rest.isEmpty else { return displaced }
    let renamed = try renamed(rest, own)
    for record in rest {
      guard let text = record.identity?.text, let directories = renamed[text] else { continue }
      displaced.insert(record.name, isMirrored: !mirrored.isDisjoint(with: directories))
    }
    return displaced
  }

  /// Whether a Maildir outside has a record of the file of that name, although its message came to the group.
  ///
  /// A run was interrupted before that record was dropped, and the message's file may have gone back there.
  private func isLeftOnRecord(
    _ name: [UInt8],
    in directory: Path,
    _ origins: Set<Intent.Origin>
  ) throws(SyncFailure) -> Bool {
    guard !origins.isEmpty, let state = try recorded.state(of: directory),
      let uid = state.uid(of: name)
    else { return false }
    return origins.contains(state.origin(of: uid))
  }

  /// The Maildirs of mailboxes that a later run sees: those on record, and folders that this one leaves out, or that came, or
  /// were renamed, since it looked for them.
  private func mirroredOutside() throws(SyncFailure) -> Set<Path> {
    let maildirs = try attempt(context.tree.maildirs().maildirs)
    let mirrored = maildirs.filter { context.mirrors($0) }
    return Set((entries.map(\.header.directory) + mirrored).map { context.tree.path(of: $0) })
  }

  /// The records of partial messages, by the base names of their files, and where a file that claims to be of one is now.
  ///
  /// It may be anywhere, whenever it came: it may be all that is left of the message.
  private func copies(
    ofPartial records: [BaseRecord]
  ) throws(SyncFailure) -> [(name: [UInt8], directory: Path)] {
    var wanted: [[UInt8]: [UInt8]] = [:]
    for record in records {
      if case .partial(let name) = record.completeness { wanted[name] = record.name }
    }
    guard !wanted.isEmpty else { return [] }
    let store = context.store
    let seals = try attempt(PartialSeals.find(store))
    guard let seals else { return [] }
    var found: [(name: [UInt8], directory: Path)] = []
    for tree in context.trees {
      let maildirs = try attempt(tree.maildirs().maildirs)
      for relative in maildirs {
        let directory = tree.path(of: relative)
        let scan = try attempt(MaildirScan.scanIfPresent(directory))
        for file in scan?.files ?? FileTable()
        where try !recorded.knows(file.name.base, in: directory) {
          guard let field = try? PartialMarks.field(ofFile: file.path(in: directory)),
            let name = wanted[field.mark.name], seals.hasSealed(field)
          else { continue }
          found.append((name, directory))
        }
      }
    }
    return found
  }

  /// Where outside files with the texts of the records came under other names.
  private func renamed(
    _ records: [BaseRecord],
    _ own: Set<Path>
  ) throws(SyncFailure) -> [Sameness.Key: Set<Path>] {
    let since = lastWhole()
    let wanted = Set(records.compactMap { $0.identity?.text })
    var places: [Sameness.Key: Set<Path>] = [:]
    for tree in context.trees {
      let maildirs = try attempt(tree.maildirs().maildirs)
      for relative in maildirs {
        let directory = tree.path(of: relative)
        guard !own.contains(directory), let fingerprints = MaildirFingerprints(of: directory),
          fingerprints.areChanged(since: since)
        else { continue }
        for text in try newTexts(in: directory, since: since, sizes: records.compactMap(\.size))
        where wanted.contains(text) {
          places[text, default: []].insert(directory)
        }
      }
    }
    return places
  }

  /// The texts of files that came to the directory since then, and that no record there accounts for.
  private func newTexts(
    in directory: Path,
    since: Int64,
    sizes: [UInt64]
  ) throws(SyncFailure) -> [Sameness.Key] {
    let scan = try attempt(MaildirScan.scan(directory))
    var texts: [Sameness.Key] = []
    // A file that is kept although its message is gone only got the mark: it came from nowhere.
    for file in scan.files where !DetachedName.isOne(file.name.base) {
      let path = file.path(in: directory)
      guard let status = (try? FileSystem.status(path)) ?? nil, status.fingerprint.changed >= since,
        Self.mayHold(status.size, sizes), try !recorded.knows(file.name.base, in: directory),
        let content = (try? MessageContents(of: path)) ?? nil
      else { continue }
      texts.append(content.identity.text)
    }
    return texts
  }

  /// Whether a file of that size may be a message of one of these: on disk its line ends may be shorter.
  private static func mayHold(_ size: Int64, _ sizes: [UInt64]) -> Bool {
    sizes.contains { UInt64(size) <= $0 && $0 <= 2 * UInt64(size) }
  }

  /// A moment at which all files of the group were in place, in nanoseconds since 1970; long ago where none is known.
  ///
  /// What was moved after that was given a new time of change.
  /// Not when something was last recorded: a file may have been gone by then, and what becomes of its message be undecided.
  private func lastWhole() -> Int64 {
    let moments = group.filter { !$0.fileless.isEmpty }.map { mailbox in
      // One of its directories is changed when a file goes: after that moment, but where the clock was set back.
      let now = MaildirFingerprints(of: mailbox.directory)
      guard let whole = mailbox.state.wholeAt, now?.areChanged(since: whole + 1) == true else {
        return Int64.min
      }
      return mailbox.lastWhole ?? .min
    }
    return moments.min() ?? .min
  }
}
