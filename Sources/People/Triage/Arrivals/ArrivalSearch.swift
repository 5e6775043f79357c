internal import Configuration
internal import Correspondence
internal import MailModel
internal import Maildir
internal import Octets
internal import Platform
internal import Query
internal import SyncState

/// Finds the files of messages that came, and which of these messages rules may look at.
struct ArrivalSearch {
  /// A message whose file came to a folder.
  struct Located: Hashable {
    let arrival: Arrival
    let folder: [UInt8]
    let base: [UInt8]

    var place: [[UInt8]] { [folder, base] }
  }

  /// What was found.
  struct Findings {
    /// The messages that rules may look at.
    var files: [ArrivedFile] = []
    /// Those with which rules have nothing to do.
    var over: [Arrival] = []
  }

  private let account: Account
  private let finder: TargetFinder
  private let maildirs: (_ folder: [UInt8]) -> Path
  /// Where files came to: what came together was not there before.
  private(set) var places: Set<[[UInt8]]> = []
  private var names = FolderFiles()
  private let tags = TagReader()
  private var folders: AccountFolders { finder.folders(of: account) }

  init(_ account: Account, _ finder: TargetFinder) {
    (self.account, self.finder) = (account, finder)
    let tree = finder.folders(of: account).tree
    maildirs = { tree.path(of: $0) }
  }

  // MARK: Records

  /// Where the files of arrivals came to, by what is recorded of their mailboxes; `over` takes those that are so.
  mutating func locate(
    _ arrivals: [Arrival],
    over: inout [Arrival]
  ) throws(Explanation) -> [Located] {
    let store = AccountPlaces(of: account).store
    var located: [Located] = []
    for (mailbox, own) in Dictionary(grouping: arrivals, by: \.mailbox).sorted(by: {
      ($0.key ?? 0) < ($1.key ?? 0)
    }) {
      var state: MailboxState?
      if let mailbox {
        state = try explaining(.noInput, place: account.name) { () throws(SystemError) in
          try store.state(of: mailbox)
        }
      }
      for arrival in own {
        switch arrival.standing(in: state) {
        case .there(let folder, let base):
          located.append(Located(arrival: arrival, folder: folder, base: base))
        case .pending: continue
        case .over: over.append(arrival)
        }
      }
    }
    places.formUnion(located.map(\.place))
    return located
  }

  // MARK: Files

  /// Finds the files in the index; what it does not have yet waits for the next time.
  mutating func find(_ located: [Located]) throws(Explanation) -> Findings {
    let query = Query.or(located.map { .exact(.file, $0.base) })
    let targets = try finder.findings(of: [query], for: .read).first?.targets ?? []
    var known: [[[UInt8]]: (target: Target, file: TargetFile)] = [:]
    for target in targets {
      for file in target.files { known[[file.folder, file.file.name.base]] = (target, file) }
    }
    var findings = Findings()
    for item in located {
      guard let (target, file) = known[item.place] else {
        if try !isThere(item) { findings.over.append(item.arrival) }
        continue
      }
      if let current = names.current(file), try isOpen(current, among: target.files) {
        findings.files.append(Self.arrived(item, target, current))
      } else {
        findings.over.append(item.arrival)
      }
    }
    return findings
  }

  private static func arrived(
    _ item: Located,
    _ target: Target,
    _ file: TargetFile
  ) -> ArrivedFile {
    ArrivedFile(
      arrival: item.arrival,
      identity: target.identity,
      id: target.id,
      subject: target.subject,
      first: file,
      file: file,
      others: target.files.filter { $0.folder != item.folder || $0.file.name.base != item.base }
    )
  }

  private mutating func isThere(_ item: Located) throws(Explanation) -> Bool {
    do throws(SystemError) {
      return try names.hasAny(of: item.base, in: maildirs(item.folder))
    } catch {
      throw Explanation(.noInput, place: account.name, error.description)
    }
  }

  /// Whether rules may look at the message of a file that is one of these.
  private mutating func isOpen(
    _ file: TargetFile,
    among files: [TargetFile]
  ) throws(Explanation) -> Bool {
    let known = tags.tags(of: file)
    let isLabelled = try folders.isLabelled(file.folder)
    let isThere = !isLabelled || known.contains(TagName.inbox)
    guard isThere, !known.contains(where: RuleMark.isOne), !file.file.name.flags.contains(.draft),
      try !folders.isAside(file.folder)
    else { return false }
    for other in files where other.account.name == account.name {
      if places.contains([other.folder, other.file.name.base]) { continue }
      if try isSame(file, other) { return false }
    }
    return true
  }

  /// Whether another file, which was here before, has the same octets and is no copy of what was sent or written here.
  private mutating func isSame(
    _ file: TargetFile,
    _ other: TargetFile
  ) throws(Explanation) -> Bool {
    switch try folders.role(of: other.folder) {
    case .sent, .drafts: return false
    default: break
    }
    guard let current = names.current(other) else { return false }
    // Of what cannot be read it is not known.
    return (try? EqualFiles.areEqual(file.path, current.path)) ?? false
  }
}
