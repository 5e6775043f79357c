/// Something that was done to one message.
final class Event: CustomStringConvertible {
  enum Kind: String {
    case new, copy, move, mutt, remove, expunge, flag, keyword, edit

    /// Whether it puts the message somewhere else.
    var places: Bool {
      switch self {
      case .move, .mutt, .remove, .expunge: true
      case .new, .copy, .flag, .keyword, .edit: false
      }
    }
  }

  let kind: Kind
  let side: String
  /// Where the message was; empty for a new one.
  let box: String
  /// Where it went; nil for nowhere.
  let to: String?
  let detail: String
  /// While a run was at work.
  var isInRun = false
  /// The runs before it.
  var run = 0

  init(_ kind: Kind, _ side: String, _ box: String, _ to: String?, _ detail: String) {
    self.kind = kind
    self.side = side
    self.box = box
    self.to = to
    self.detail = detail
  }

  var description: String {
    "\(side) \(kind.rawValue) \(box)" + (to.map { " -> \($0)" } ?? "")
      + (detail.isEmpty ? "" : " \(detail)")
  }
}

/// One message: where it was when all sides agreed (nil for a new one), and what happened since.
final class Instance {
  let base: String?
  let letters: Set<Character>
  let keywords: Set<String>
  /// The event that made it.
  let born: Event?
  var places: [String: String?] = [:]
  var events: [Event] = []
  var areFlagsKnown = true

  init(_ base: String?, _ letters: Set<Character>, _ keywords: Set<String> = [], born: Event? = nil)
  {
    self.base = base
    self.letters = letters
    self.keywords = keywords
    self.born = born
  }

  var start: String? { base ?? born?.to }

  /// Where it stands on a side; nil for nowhere.
  func place(on side: String) -> String? {
    if let place = places[side] { return place }
    return base != nil || side == born?.side ? start : nil
  }

  /// Where it was at some time.
  var visited: Set<String> {
    Set([base].compactMap { $0 } + events.map(\.box) + events.compactMap(\.to))
  }

  /// The sides on which it was touched.
  var sides: Set<String> { Set(events.map(\.side)) }

  func sides(_ kinds: Event.Kind...) -> Set<String> {
    Set(events.filter { kinds.contains($0.kind) }.map(\.side))
  }

  var placing: [Event] { events.filter(\.kind.places) }
  var placingSides: Set<String> { Set(placing.map(\.side)) }
}

/// All messages of one origin.
final class Token {
  let name: String
  let kind: String
  var revision = 1
  var instances: [Instance] = []
  /// Copies of it were changed in ways that cannot be told apart.
  var isFuzzy = false
  /// Only its existence is judged from now on.
  var isTainted = false
  var mayBeGone = false
  /// The server did not have it when all was judged last.
  var isHereAlone = false
  /// It was before, or was written here: the name of its file need not tell where it is.
  var hasMoved = false
  /// Files of it have one base name, so that one may be taken for the other.
  var sharesNames = false
  /// An older copy of it was put back on a machine.
  var isRestored = false
  var oldRevisions: Set<Int> = []

  init(_ name: String, _ kind: String) {
    self.name = name
    self.kind = kind
  }

  /// Whether a copy of it went from the mailbox, for good or to Trash, since all sides agreed.
  func wasRemoved(from box: String) -> Bool {
    instances.contains { instance in
      instance.events.contains { $0.box == box && [.remove, .expunge].contains($0.kind) }
    }
  }

  /// Whether any copy of it was removed, or written anew, since all sides agreed.
  var wasRemoved: Bool {
    instances.contains { instance in
      instance.events.contains { [.remove, .expunge, .edit].contains($0.kind) }
    }
  }
}

/// What the judge knows: which messages there are, what was done to them, and what may have become of them.
///
/// The rules stand in `Tests/judge/README.md`, by whose numbers they are named.
final class Model {
  static let purging: Set<String> = ["Trash", "Drafts"]
  static let server = "server"

  let hasUIDPlus: Bool
  let hasMove: Bool
  /// Whether the server changes what it copies or is given, so that other machines do not know it again.
  let changesMessages: Bool
  let sides: [String]
  var tokens: [String: Token] = [:]
  var runs = 0
  /// State lost, UIDVALIDITY changed, backup put back: rule 9.
  var isAmbiguous = false
  /// Records of a machine were lost, damaged, or older ones put back since all agreed.
  var wereRecordsLost = false
  /// Old and new name, on any side, since all agreed.
  var renames: [(old: String, new: String)] = []
  /// By machine the tokens that there were when its backup was made.
  private var saved: [String: Set<String>] = [:]
  /// Old and new names by machine, since its backup.
  private var renamesSince: [String: [(old: String, new: String)]] = [:]
  /// The names of folders that were renamed, and made again, while a run was at work.
  var rotatedInRun: Set<String> = []
  var diskWasFull = false
  /// A run was ended early since all agreed.
  var wasCut = false
  /// A run was made of one mailbox alone since all agreed.
  var wasPartial = false
  /// A run left out a mailbox that is not mirrored since all agreed.
  var wasExcluding = false
  /// A run was made for which what is removed here goes for good since all agreed.
  var wasExpunging = false
  /// A run that only pulled, or only pushed, was made since all agreed.
  var wasOneWay = false
  /// Whether folders whose mailbox is gone are removed, once that is let through.
  var removesHere = false
  /// Whether mailboxes whose folder is gone are removed, once that is let through.
  var removesThere = false
  /// The mailboxes whose UIDVALIDITY changed since all agreed.
  var renumbered: Set<String> = []
  /// Mailbox or folder, and the sides where it still is.
  var sideOnly: [String: Set<String>] = [:]
  /// Names of folders that may be refused, with words.
  var odd: Set<String> = []
  var isInRun = false
  /// What was taken out of the judgement since a file of it is detached: that stays where it is.
  var apart: Set<String> = []
  /// By machine the tokens to which something was done since its backup.
  private var since: [String: Set<String>] = [:]

  init(machines: [String], hasUIDPlus: Bool, hasMove: Bool, changesMessages: Bool) {
    self.hasUIDPlus = hasUIDPlus
    self.hasMove = hasMove
    self.changesMessages = changesMessages
    sides = [Self.server] + machines
  }

  // MARK: Events

  func new(_ name: String, _ kind: String, _ side: String, _ box: String, _ letters: String) {
    let token = tokens[name] ?? Token(name, kind)
    tokens[name] = token
    token.instances.append(
      Instance(nil, Set(letters), born: Event(.new, side, "", box, ""))
    )
    touch(name)
  }

  func copy(
    _ name: String,
    _ side: String,
    _ box: String,
    _ to: String,
    _ letters: Set<Character>,
    _ keywords: Set<String>,
    _ detail: String = ""
  ) {
    guard let token = tokens[name] else { return }
    let instance = Instance(nil, letters, keywords, born: Event(.copy, side, box, to, detail))
    instance.areFlagsKnown = false
    token.instances.append(instance)
    if detail == "same" { token.sharesNames = true }
    touch(name)
  }

  func event(
    _ name: String,
    _ kind: Event.Kind,
    _ side: String,
    _ box: String,
    _ to: String? = nil,
    _ detail: String = ""
  ) {
    guard let token = tokens[name], let instance = resolve(token, side, box) else { return }
    let event = Event(kind, side, box, to, detail)
    event.isInRun = isInRun
    event.run = runs
    if kind.places, Self.isBackUnseen(instance, side, to) { token.isTainted = true }
    instance.events.append(event)
    touch(name)
    if kind.places {
      instance.places[side] = .some(to)
    }
    if kind == .edit {
      token.oldRevisions.insert(token.revision)
      token.revision += 1
    }
  }

  /// The instance that stands in a mailbox or folder of a side.
  private func resolve(_ token: Token, _ side: String, _ box: String) -> Instance? {
    guard token.instances.count > 1 else { return token.instances.first }
    let fitting = token.instances.filter { $0.place(on: side) == box }
    if fitting.count != 1 || token.instances.contains(where: { !$0.events.isEmpty }) {
      token.isFuzzy = true
    }
    // A run may have brought there what another side put there, and has taken away since.
    let brought = token.instances.filter { $0.start == box || $0.visited.contains(box) }
    return fitting.first ?? brought.first ?? token.instances.first
  }

  /// Whether a file is back where a run may have seen it, and was edited in between: under its name it is the same to a run,
  /// which looks at texts only in Drafts, and there at those that are new files.
  private static func isBackUnseen(_ instance: Instance, _ side: String, _ to: String?) -> Bool {
    guard let to, instance.start == to || instance.visited.contains(to) else { return false }
    return instance.events.contains { event in
      guard event.kind == .edit, event.side == side else { return false }
      return event.detail == "inplace" && to == instance.start
        || event.detail == "replace" && to != "Drafts"
    }
  }

  /// A run begins: what stands where cannot be told any more for copies that were touched.
  func ran() {
    runs += 1
    for token in tokens.values where token.instances.count > 1 {
      if token.instances.contains(where: { !$0.events.isEmpty || $0.base == nil }) {
        token.isFuzzy = true
      }
    }
  }

  // MARK: Backups

  private func touch(_ name: String) {
    for machine in since.keys { since[machine]?.insert(name) }
  }

  func noteRename(of old: String, _ new: String) {
    renames.append((old, new))
    for machine in renamesSince.keys { renamesSince[machine]?.append((old, new)) }
  }

  /// A backup of a machine is made.
  func saved(_ machine: String) {
    renamesSince[machine] = renames
    saved[machine] = Set(tokens.keys)
    since[machine] = Set(
      tokens.values.filter { token in
        token.instances.contains { !$0.events.isEmpty || $0.base == nil }
      }.map(\.name)
    )
  }

  /// Older records were put back: what was done since is not known to have reached the server, a new text least of all.
  func forgetRecords(_ machine: String) {
    for name in since[machine] ?? [] { tokens[name]?.isRestored = true }
  }

  /// A backup of the whole Maildir was put back: what the machine did since may be undone.
  ///
  /// Where its records stay as they are, what came since is fetched again.
  func forgetLocal(_ machine: String, hasRecords: Bool) {
    // Its folders have the names of then.
    renames = (renamesSince[machine] ?? []) + renames
    for (name, token) in tokens {
      let isNew = hasRecords && saved[machine]?.contains(name) == false
      if !isNew, since[machine]?.contains(name) ?? false {
        token.isRestored = true
        token.oldRevisions.formUnion(1..<token.revision)
        // A file that was detached is known again, and that the server lost its message counts (rule 9).
        if token.isTainted { token.mayBeGone = true }
      }
      for instance in token.instances
      where instance.sides.contains(machine) || instance.born?.side == machine {
        token.isTainted = true
        token.mayBeGone = true
      }
    }
  }
}
