internal import Maildir
internal import MailModel
internal import MailStore
internal import Octets
internal import Platform
internal import RestorePlan
internal import SyncPlan

/// Finds the mailboxes of a server to which folders are restored, and makes those that are not there.
struct MailboxFinding {
  /// The mailboxes to which folders go, in the order of the folders.
  private(set) var targets: [(mailbox: MailboxName, folders: [SourceFolder], isThere: Bool)] = []
  /// How many were made, or would be.
  private(set) var made = 0
  /// How many folders have no mailbox.
  private(set) var failed = 0

  private let store: any MailStore
  private let listing: ServerListing
  private let naming: MailboxNaming
  private let isDryRun: Bool
  private let observer: (RestorationEvent) -> Void
  private var places: [MailboxName: Int] = [:]
  private let labels: Labels?

  /// Where labels are tags: what folders stand for, and the mailboxes that there are.
  private struct Labels {
    let places: LabelPlaces
    let all: MailboxName
    let outside: [LabelPlace.Meaning: MailboxName]

    init(_ listing: ServerListing) {
      all = listing.arrivals
      let found = listing.mailboxes.map {
        ($0.name, LabelPlace($0, all: listing.arrivals, directory: nil))
      }
      places = LabelPlaces(found.map(\.1))
      outside = Dictionary(
        first: found.filter { $0.1.meaning == .trash || $0.1.meaning == .junk }
          .map { ($0.1.meaning, $0.0) }
      )
    }
  }

  init(
    _ store: any MailStore,
    _ listing: ServerListing,
    labels: LabelStyle,
    isDryRun: Bool,
    observer: @escaping (RestorationEvent) -> Void
  ) {
    self.store = store
    self.listing = listing
    self.labels = labels == .tags ? Labels(listing) : nil
    self.isDryRun = isDryRun
    self.observer = observer
    naming = MailboxNaming(listing.mailboxes, listing.names)
  }

  /// The mailbox's name for people.
  func display(_ name: MailboxName) -> String {
    listing.names.path(of: MailboxPath(name, delimiter: naming.delimiter)).display
  }

  /// Finds the mailbox of a folder.
  mutating func add(_ folder: SourceFolder) throws(SyncFailure) {
    if let labels { return add(folder, labels) }
    let names = RestoreNaming.names(for: folder.levels, on: naming) { listing[$0] != nil }
    var refusal: ServerReply?
    for name in names {
      if let place = places[name] {
        targets[place].folders.append(folder)
        return
      }
      if listing[name]?.isSelectable == true { return add(folder, name, isThere: true) }
      if isDryRun {
        made += 1
        observer(.made(mailbox: display(name)))
        return add(folder, name, isThere: false)
      }
      switch try store.create(name) {
      case .made:
        made += 1
        observer(.made(mailbox: display(name)))
        return add(folder, name, isThere: true)
      case .existed: return add(folder, name, isThere: true)
      case .refused(let reply): refusal = reply
      }
    }
    failed += 1
    let name = Printable.text(Array(folder.levels.joined(separator: [ASCII.slash])))
    let failure = refusal.map { SyncFailure.commandRefused(.create, $0) }
    observer(.problem(mailbox: name, failure ?? .mailbox(.unusableNameThere)))
  }

  /// Messages of all folders but Trash and Spam are in one mailbox, and have by a tag what their folder stands for.
  private mutating func add(_ folder: SourceFolder, _ labels: Labels) {
    let meaning = labels.places.meaning(of: folder.levels)
    var folder = folder
    switch meaning {
    case .tag(let tag): folder.marks = MessageFlags(keywords: [tag])
    case .drafts: folder.marks = MessageFlags(.draft)
    case .all, .trash, .junk, .other: break
    }
    let name = labels.outside[meaning] ?? labels.all
    if let place = places[name] {
      targets[place].folders.append(folder)
    } else {
      add(folder, name, isThere: true)
    }
  }

  private mutating func add(_ folder: SourceFolder, _ name: MailboxName, isThere: Bool) {
    places[name] = targets.count
    targets.append((name, [folder], isThere))
  }
}

/// What goes to one mailbox.
struct RestoreTarget {
  let mailbox: MailboxName
  /// Its name for people.
  let display: String
  let holdsDrafts: Bool
  let folders: [SourceFolder]
  /// What the files hold.
  let files: [RestoredFile]
  /// Where each of them is.
  let places: [SourcePlace]
  /// Keywords of files that IMAP cannot write.
  let unstorable: Set<[UInt8]>

  /// Where a file was, by its place among the files.
  func path(_ index: Int) -> Path {
    places[index].place.path(in: folders[places[index].folder].path)
  }

  /// What a search for a file needs that may be on the server.
  func wanted(
    _ file: RestoredFile,
    from uidNext: UInt32,
    _ evidence: WantedArrival.Evidence
  ) -> WantedArrival {
    let isDraft = holdsDrafts || file.flags.system.contains(.draft)
    return WantedArrival(
      identity: file.identity,
      size: file.wireSize,
      uidNext: uidNext,
      date: file.date,
      headerKey: file.headerKey,
      evidence: isDraft && evidence == .begun ? .begunVersion : evidence
    )
  }
}
