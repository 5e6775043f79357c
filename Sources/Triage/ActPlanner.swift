internal import CommandLine
internal import Configuration
internal import Glibc
internal import MailModel
package import Maildir
internal import Octets
internal import Platform

/// What a command is going to do, before any of it is durable.
package struct PlannedAct: Sendable {
  /// A step, and what is known of the file it is for.
  package struct Step: Sendable {
    /// What is to be done.
    package let step: ActStep
    /// The file, as it was seen last; nil where it is still to be looked for.
    package let seen: ScannedFile?
  }

  /// What is to be done.
  package internal(set) var steps: [Step] = []

  /// The messages that need nothing, since they are so already.
  package internal(set) var unchanged = 0

  /// How many messages the steps are about.
  package internal(set) var messages = 0
}

/// Makes steps of what a verb means for messages.
struct ActPlanner {
  private let verb: TriageVerb
  private let folders: (Account) -> AccountFolders
  private var targets: [String: [UInt8]] = [:]
  private var copies = 0
  private let tags = TagReader()

  init(_ verb: TriageVerb, _ folders: @escaping (Account) -> AccountFolders) {
    self.verb = verb
    self.folders = folders
  }

  /// The steps for messages.
  ///
  /// - Throws: that an account has no folder for them.
  mutating func plan(_ messages: [Target]) throws(Explanation) -> PlannedAct {
    var plan = PlannedAct()
    for message in messages {
      var isChanged = false
      for file in message.files {
        for change in try changes(of: file) {
          isChanged = true
          let step = ActStep(
            account: file.account.name,
            id: message.id,
            base: file.file.name.base,
            change
          )
          plan.steps.append(PlannedAct.Step(step: step, seen: file.file))
        }
      }
      if isChanged { plan.messages += 1 } else { plan.unchanged += 1 }
    }
    return plan
  }

  private mutating func changes(of file: TargetFile) throws(Explanation) -> [ActStep.Change] {
    let change = try change(of: file)
    guard case .tag(let edit) = verb else { return [change].compactMap { $0 } }
    return [change, tags.change(edit.added, edit.removed, file)].compactMap { $0 }
  }

  private mutating func change(of file: TargetFile) throws(Explanation) -> ActStep.Change? {
    let flags = file.file.name.flags
    let place = FilePlace(file.folder, flags)
    let wanted = flags.union(verb.marks.on).subtracting(verb.marks.off)
    switch verb {
    case .read, .unread, .flag, .unflag, .tag:
      return wanted == flags ? nil : .place(from: place, to: FilePlace(file.folder, wanted))
    case .expunge:
      guard try folders(file.account).folder(for: .trash) == file.folder else {
        throw Explanation(
          .data,
          place: file.path.display,
          "only what lies in Trash is deleted for good"
        )
      }
      return .removal(of: place)
    case .archive, .delete, .junk, .notjunk, .move:
      let target = try target(for: file.account)
      if target == file.folder {
        guard verb == .delete else { return nil }
        throw Explanation(
          .data,
          place: file.path.display,
          "it lies in Trash already",
          hint: "--expunge deletes it for good"
        )
      }
      return .place(from: place, to: FilePlace(target, wanted))
    case .copy:
      let target = try target(for: file.account)
      return .copy(of: place, to: FilePlace(target, flags), base: copyName())
    }
  }

  // MARK: Where they go

  private mutating func target(for account: Account) throws(Explanation) -> [UInt8] {
    if let known = targets[account.name] { return known }
    let folders = folders(account)
    let found = try verb.target(in: folders)
    let target = if let found { found } else { try missing(folders) }
    let name = folders.tree.naming.name(of: target)
    if account.server != nil, !account.sync.selects(name) {
      throw Explanation(
        .data,
        place: account.name,
        "\(Printable.text(name)) is not mirrored, so that no sync would move a message there"
      )
    }
    targets[account.name] = target
    return target
  }

  /// A folder for a role is made where no server has another name for it.
  private func missing(_ folders: AccountFolders) throws(Explanation) -> [UInt8] {
    let account = folders.account
    switch verb {
    case .move(let name), .copy(let name):
      throw Explanation(
        .data,
        place: account.name,
        "there is no folder \(Printable.text(name.utf8, limit: 200))",
        hint: try suggestion(name, folders)
      )
    default: break
    }
    let role = verb.role?.rawValue ?? ""
    let name = role.prefix(1).uppercased() + role.dropFirst()
    if let named = verb.role.flatMap({ account.roles[$0] }) { return try folders.make(named) }
    if account.server == nil { return try folders.make([UInt8](name.utf8)) }
    throw Explanation(
      .partial,
      place: account.name,
      "there is no folder \(name)",
      hint: "name the mailbox in [account.\(account.name).roles], as \(role) = \"\(name)\""
    )
  }

  private func suggestion(
    _ name: String,
    _ folders: AccountFolders
  ) throws(Explanation) -> String? {
    let names = try folders.all().map(folders.name)
    return Suggestion.nearest(to: name, among: names).map { "did you mean \($0)?" }
  }

  /// A base name that no other file has.
  private mutating func copyName() -> [UInt8] {
    copies += 1
    let nanoseconds = Clock.nowNanoseconds()
    let random = String(UInt64.random(in: 0...(.max)), radix: 36)
    let (seconds, micro) = (nanoseconds / 1_000_000_000, nanoseconds / 1000 % 1_000_000)
    return [UInt8]("\(seconds).M\(micro)P\(getpid())Q\(copies)R\(random).copy".utf8)
  }
}
