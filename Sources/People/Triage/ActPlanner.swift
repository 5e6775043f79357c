internal import Configuration
internal import Correspondence
internal import Glibc
internal import MailModel
package import Maildir
internal import Octets
internal import Platform
internal import SyncState

/// What a command is going to do, before any of it is durable.
package struct PlannedAct: Sendable {
  /// A step, and what is known of the file it is for.
  package struct Step: Sendable {
    /// What is to be done.
    package let step: ActStep
    /// The file, as it was seen last; nil where it is still to be looked for.
    package let seen: ScannedFile?
    /// Which of the messages it is for.
    var message = 0

    /// Whether it is for the same file of the same message as another one of the act.
    package func isOfFile(of other: Step) -> Bool {
      message == other.message && step.account == other.step.account
        && step.base == other.step.base
    }
  }

  /// What is to be done.
  package internal(set) var steps: [Step] = []

  /// The messages that need nothing, since they are so already.
  package internal(set) var unchanged = 0

  /// How many messages the steps are about.
  package var messages: Int { Set(steps.map(\.message)).count }

  /// The files without their attachments that have to be made whole, and all of it planned anew, before it can be done.
  package internal(set) var incomplete: [TargetFile] = []

  /// How many messages have all of their steps taken where some steps, by their numbers from 0, are not.
  func messages(without undone: Set<Int>) -> Int {
    messages - Set(undone.map { steps[$0].message }).count
  }
}

/// Makes steps of what a verb means for messages.
struct ActPlanner {
  let verb: TriageVerb
  /// The tags and flags that messages get and lose too where they are moved within their account.
  let edit: TagEdit?
  /// The accounts for whose mail rules are.
  let sorted: Set<String>
  private let partial: PartialFiles
  let folders: (Account) -> AccountFolders
  private(set) var destinations: Destinations
  private var incomplete: [TargetFile] = []
  private var copies = 0
  private var synced: [String: SyncedPlaces] = [:]
  private var names = FolderFiles()
  let tags: TagReader

  init(
    _ verb: TriageVerb,
    and edit: TagEdit? = nil,
    sorted: Set<String> = [],
    tags: TagReader = TagReader(),
    _ accounts: [Account],
    _ folders: @escaping (Account) -> AccountFolders
  ) {
    (self.verb, self.edit, self.sorted, self.tags) = (verb, edit, sorted, tags)
    self.folders = folders
    partial = PartialFiles(accounts)
    destinations = Destinations(verb, accounts, folders)
  }

  /// The steps for messages.
  ///
  /// - Throws: that an account has no folder for them.
  mutating func plan(_ messages: [Target]) throws(Explanation) -> PlannedAct {
    var plan = PlannedAct()
    for (number, message) in messages.enumerated() {
      let before = plan.steps.count
      for file in message.files {
        for var step in try currentSteps(for: file, message.id) {
          step.message = number
          plan.steps.append(step)
        }
      }
      if plan.steps.count == before { plan.unchanged += 1 }
    }
    plan.incomplete = incomplete
    return plan
  }

  /// The steps for a file by what its name shows now: since it was indexed other programs may have given it another one.
  private mutating func currentSteps(
    for seen: TargetFile,
    _ id: [UInt8]
  ) throws(Explanation) -> [PlannedAct.Step] {
    if let file = names.current(seen) { return try steps(for: file, id) }
    // That it is gone is found again when its steps are taken, and said then; so one that needed none has one, too. Tags are
    // set of whatever base name, and would be those of no file: they are left out.
    let steps = try steps(for: seen, id).filter {
      if case .tags = $0.step.change { false } else { true }
    }
    guard steps.isEmpty else { return steps }
    let nowhere = ActStep.Change.place(from: seen.place, to: seen.place)
    let base = seen.file.name.base
    let step = ActStep(account: seen.account.name, id: id, base: base, nowhere)
    return [PlannedAct.Step(step: step, seen: nil)]
  }

  private mutating func steps(
    for file: TargetFile,
    _ id: [UInt8]
  ) throws(Explanation) -> [PlannedAct.Step] {
    let own = { (change: ActStep.Change) in
      let base = file.file.name.base
      return PlannedAct.Step(
        step: ActStep(account: file.account.name, id: id, base: base, change),
        seen: file.file
      )
    }
    let isTagged = try folders(file.account).isLabelled(file.folder)
    if let labels = try labels(file.account) { return try labelling(file, labels).map(own) }
    switch verb {
    case .read, .unread, .flag, .unflag: return marking(file).map { [own($0)] } ?? []
    case .tag(let edit):
      return try tagging(file, edit, isTagged ? edit.move : nil).map(own)
    case .expunge: return [own(try removal(of: file))]
    case .archive where isTagged:
      return try tagging(file, edit ?? .none, .archive).map(own)
    case .archive, .delete, .junk, .notjunk, .move, .snooze, .unsnooze:
      let target = try destinations.destination(from: file.account)
      if target.account.name != file.account.name { return try export(file, id, to: target, own) }
      guard try isElsewhere(target.folder, file) else { return [] }
      let marks: (on: SystemFlags, off: SystemFlags) = edit?.marks ?? ([], [])
      let wanted = file.file.name.flags.union(marks.on).subtracting(marks.off)
      let place = FilePlace(
        target.folder,
        wanted.union(verb.marks.on).subtracting(verb.marks.off)
      )
      let tagged = tagging(ofMoved: file, in: place)
      return [.place(from: file.place, to: place), tagged].compactMap { $0.map(own) }
    case .copy:
      let target = try destinations.destination(from: file.account)
      try noteIncomplete(file, "not copied")
      if target.account.name != file.account.name { return try export(file, id, to: target, own) }
      let place = FilePlace(target.folder, file.file.name.flags)
      return [own(.copy(of: file.place, to: place, base: copyName()))]
    }
  }

  private func marking(_ file: TargetFile) -> ActStep.Change? {
    let wanted = file.file.name.flags.union(verb.marks.on).subtracting(verb.marks.off)
    let place = FilePlace(file.folder, wanted)
    return place == file.place ? nil : .place(from: file.place, to: place)
  }

  /// `move` says what becomes of the tag `inbox`; nil where it is none.
  private mutating func tagging(
    _ file: TargetFile,
    _ edit: TagEdit,
    _ move: TagEdit.Move?
  ) throws(Explanation) -> [ActStep.Change] {
    let folder = try move == nil ? folder(of: file, after: edit) : file.folder
    let place = FilePlace(
      folder,
      file.file.name.flags.union(edit.marks.on).subtracting(edit.marks.off)
    )
    var added = edit.added + mark(file, in: folder)
    var lost = edit.lost(of: tags.tags(of: file)).filter { $0 != TagName.inbox }
    switch move {
    case .inbox: added += [TagName.inbox] + mark(ofNewcomer: file)
    case .archive: lost.append(TagName.inbox)
    case nil: break
    }
    let edited = tags.change(added, lost, file, at: place)
    let moved: ActStep.Change? = place == file.place ? nil : .place(from: file.place, to: place)
    return [moved, edited].compactMap { $0 }
  }

  /// Where a file lies once its message has or lacks the tag `inbox`: only copies in the inbox are archived, and only those in
  /// the archive come back.
  private mutating func folder(
    of file: TargetFile,
    after edit: TagEdit
  ) throws(Explanation) -> [UInt8] {
    guard let move = edit.move else { return file.folder }
    let own = folders(file.account)
    let source = move == .archive ? own.inbox : try own.folder(for: .archive)
    guard source == file.folder else { return file.folder }
    return try destinations.destination(from: file.account).folder
  }

  private mutating func removal(of file: TargetFile) throws(Explanation) -> ActStep.Change {
    guard try folders(file.account).folder(for: .trash) == file.folder else {
      throw Explanation(
        .data,
        place: file.path.display,
        "only what lies in Trash is deleted for good"
      )
    }
    // Of such a message the server keeps what is only there, so that it would not be gone.
    try partial.checkWhole(file: file.path, "not deleted for good")
    try checkSynced(file)
    return .removal(of: file.place)
  }

  /// A message that the server still has elsewhere would only go to Trash there, as what disappears here does, and come back.
  private mutating func checkSynced(_ file: TargetFile) throws(Explanation) {
    let name = file.account.name
    guard file.account.server != nil else { return }
    let places = synced[name] ?? SyncedPlaces(file.account)
    synced[name] = places
    let place = try explaining(.noInput, place: name) { () throws(SystemError) in
      try places.place(of: file.file.name.base, in: file.folder)
    }
    guard let place, place != file.folder else { return }
    throw Explanation(
      .tryAgain,
      place: file.path.display,
      "the server has the message in \(folders(file.account).name(place)) until the next sync",
      hint: "run magnum-sync, then delete it for good"
    )
  }

  private func isElsewhere(
    _ target: [UInt8],
    _ file: TargetFile
  ) throws(Explanation) -> Bool {
    guard target == file.folder, verb == .delete else { return target != file.folder }
    throw Explanation(
      .data,
      place: file.path.display,
      "it lies in Trash already",
      hint: "--expunge deletes it for good"
    )
  }

  /// The tags that a message gets and loses with the place.
  private func tagging(ofMoved file: TargetFile, in place: FilePlace) -> ActStep.Change? {
    let judged = judgement
    let (added, removed) = (edit?.added ?? [], edit?.removed ?? [])
    return tags.change(
      judged.added + added + mark(file, in: place.folder),
      judged.removed + removed,
      file,
      at: place
    )
  }

  /// What keeps rules, also on other machines, from a message that a person puts into the inbox.
  private func mark(_ file: TargetFile, in folder: [UInt8]) -> [[UInt8]] {
    let isPutThere = folder != file.folder && folder == folders(file.account).inbox
    return isPutThere && sorted.contains(file.account.name) ? [RuleMark.keyword] : []
  }

  /// What a server learns from, and other clients show: keywords that RFC 5788 registers.
  var judgement: (added: [[UInt8]], removed: [[UInt8]]) {
    let (junk, other) = ([[UInt8](ascii: "$Junk")], [[UInt8](ascii: "$NotJunk")])
    return switch verb {
    case .junk: (junk, other)
    case .notjunk: (other, junk)
    case .snooze: ([LaterTag.snoozed], [])
    case .unsnooze: ([], [LaterTag.snoozed])
    case .read, .unread, .flag, .unflag, .archive, .delete, .move, .copy, .expunge, .tag: ([], [])
    }
  }

  /// Notes a file without its attachments that is to have them first; `what` is what becomes of one that is gone.
  private mutating func noteIncomplete(
    _ file: TargetFile,
    _ what: String
  ) throws(Explanation) {
    if try !partial.isWhole(file: file.path, what) { incomplete.append(file) }
  }

  /// A copy in another account, with the tags.
  ///
  /// A moved message goes to Trash here, so that it is in two places until a server has the copy, and never in none.
  private mutating func export(
    _ file: TargetFile,
    _ id: [UInt8],
    to target: Destinations.Destination,
    _ own: (ActStep.Change) -> PlannedAct.Step
  ) throws(Explanation) -> [PlannedAct.Step] {
    // In the other account it would be sent without them, and here they would go with what is in Trash.
    try noteIncomplete(file, "not put into another account")
    let (account, copy) = (target.account.name, copyName())
    let place = FilePlace(target.folder, file.file.name.flags.subtracting(.deleted))
    var steps = [own(.export(of: file.place, account: account, to: place, base: copy))]
    let known = tags.tags(of: file)
    if !known.isEmpty {
      let tagging = ActStep.Change.tags(of: place, adding: known, removing: [])
      let step = ActStep(account: account, id: id, base: copy, tagging)
      steps.append(PlannedAct.Step(step: step, seen: nil))
    }
    guard case .move = verb else { return steps }
    let folders = folders(file.account)
    guard let trash = try folders.folder(for: .trash) else {
      throw Explanation(
        .partial,
        place: file.account.name,
        "there is no folder Trash for what is moved to another account",
        hint: "copy it, or name the mailbox in [account.\(file.account.name).roles]"
      )
    }
    guard trash != file.folder else { return steps }
    let flags = file.file.name.flags.subtracting(.deleted)
    return steps + [own(.place(from: file.place, to: FilePlace(trash, flags)))]
  }

  /// A base name that no other file has.
  private mutating func copyName() -> [UInt8] {
    copies += 1
    let nanoseconds = Clock.nowNanoseconds()
    let random = String(UInt64.random(in: 0...(.max)), radix: 36)
    let (seconds, micro) = (nanoseconds / 1_000_000_000, nanoseconds / 1000 % 1_000_000)
    return CopyName.base("\(seconds).M\(micro)P\(getpid())Q\(copies)R\(random)")
  }
}
