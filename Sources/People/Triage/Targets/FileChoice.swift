internal import Configuration
internal import MailModel
internal import Octets

/// Chooses the files of messages that a command means.
///
/// What marks a message marks all copies of it. A command that moves a message means the copy in the named folder. Without one,
/// it means those that are neither where they are to go nor in Trash, Junk or Drafts. If that leaves several, a person has to
/// say which. But where mailboxes are labels, one is enough to take a message out of all of them.
struct FileChoice {
  /// How many messages are listed.
  private static let listLimit = 20

  private let rules: TargetRules
  private let scope: QueryScope
  /// Those of the alternatives of the query; none where they were not asked.
  private let alternatives: [QueryScope]
  private let verb: TriageVerb
  private let folders: (Account) -> AccountFolders
  private let tags = TagReader()

  init(
    _ rules: TargetRules,
    _ scope: QueryScope,
    _ alternatives: [QueryScope],
    _ verb: TriageVerb,
    _ folders: @escaping (Account) -> AccountFolders
  ) {
    self.rules = rules
    self.scope = scope
    self.alternatives = alternatives
    self.verb = verb
    self.folders = folders
  }

  /// The messages with the files that are meant; those without any are left out, unless all that there are lie where they are
  /// to go: then these.
  ///
  /// - Throws: that it is not clear which files are meant.
  func chosen(of targets: [Target]) throws(Explanation) -> [Target] {
    try checkScope()
    let all = targets
    var targets = targets
    for index in targets.indices { targets[index].files = try meant(of: targets[index]) }
    targets.removeAll { $0.files.isEmpty }
    if targets.isEmpty { return try settled(all) }
    guard verb.isMoving else { return targets }
    if scope.isThread, !rules.wholeThread, !rules.allCopies, named == nil {
      try limitToOneFolder(&targets)
    }
    var copies = LabelledCopies(verb, folders)
    for index in targets.indices { try copies.leaveOne(of: &targets[index]) }
    guard !rules.allCopies else { return targets }
    let unclear = targets.filter { $0.files.count > 1 }
    guard unclear.isEmpty else { throw ambiguous(unclear) }
    return targets
  }

  /// The files that are asked for; nil where none are named.
  private var named: CopyTest? {
    if let folder = rules.folder { return .folder([UInt8](folder.utf8)) }
    guard verb.isMoving, case .named(let test) = scope.copies else { return nil }
    return test
  }

  /// What the query says of a message: a place that only an alternative names that did not find it is none of its.
  private func scopes(of target: Target) -> [QueryScope] {
    target.alternatives.isEmpty ? [scope] : target.alternatives.map { alternatives[$0] }
  }

  /// The files of a message that are asked for; nil where none are named.
  private func named(of target: Target) -> CopyTest? {
    guard rules.folder == nil, let named else { return named }
    let tests = scopes(of: target).compactMap { scope -> CopyTest? in
      if case .named(let test) = scope.copies { test } else { nil }
    }
    return tests.isEmpty ? named : .any(tests)
  }

  private func checkScope() throws(Explanation) {
    guard isUnclear, !rules.allCopies else { return }
    throw Explanation(
      .data,
      "the query names folders or files, but not which copy of each message is meant",
      hint: "name it with --folder, take all with --all-copies, or give a query for each folder"
    )
  }

  /// Whether the query names places, and it is not known which of the copies it means.
  private var isUnclear: Bool {
    guard verb.isMoving, rules.folder == nil, case .unclear = scope.copies else { return false }
    return true
  }

  private func meant(of target: Target) throws(Explanation) -> [TargetFile] {
    let files = target.files
    if let named = named(of: target) { return named.meant(of: files) { folders($0.account) } }
    guard verb.isMoving else { return files }
    let test = CopyTest.any(isUnclear ? scopes(of: target).flatMap(\.places) : [])
    let places = test.meant(of: files) { folders($0.account) }
    var meant: [TargetFile] = []
    for file in files where try isMeant(file, isNamed: places.contains(file)) {
      meant.append(file)
    }
    return meant
  }

  /// Whether a file is meant; one that the query names also in Trash, Junk and Drafts.
  private func isMeant(_ file: TargetFile, isNamed: Bool) throws(Explanation) -> Bool {
    let folders = folders(file.account)
    let role = try folders.role(of: file.folder)
    if let source = verb.source {
      // Where labels are tags, it is not the place that says so.
      let isLabelled = try folders.isLabelled(file.folder)
      return role == source || source == .snoozed && isLabelled
    }
    if let target = try verb.target(in: folders), target == file.folder { return false }
    if verb == .snooze, role == .sent { return isNamed }
    if verb == .snooze, try folders.isLabelled(file.folder), try tags.isOwn(file) { return false }
    return isNamed || ![.trash, .junk, .drafts].contains(role)
  }

  /// The messages that lie where they are to go, with these files: nothing is to be done to them.
  private func settled(_ targets: [Target]) throws(Explanation) -> [Target] {
    if named != nil { return [] }
    if case .copy = verb { return [] }
    var settled: [Target] = []
    for var target in targets {
      var files: [TargetFile] = []
      for file in target.files
      where try verb.target(in: folders(file.account)) == file.folder { files.append(file) }
      target.files = files
      if !files.isEmpty { settled.append(target) }
    }
    return settled
  }

  /// Of each thread those messages are meant that lie beside the newest that was received.
  private func limitToOneFolder(_ targets: inout [Target]) throws(Explanation) {
    var chosen: [Int: TargetFile] = [:]
    for target in targets {
      for file in target.files where chosen[target.thread] == nil {
        if try folders(file.account).role(of: file.folder) != .sent { chosen[target.thread] = file }
      }
    }
    for index in targets.indices {
      guard let chosen = chosen[targets[index].thread] else { continue }
      targets[index].files.removeAll {
        $0.account.name != chosen.account.name || $0.folder != chosen.folder
      }
    }
    targets.removeAll { $0.files.isEmpty }
  }

  private func ambiguous(_ targets: [Target]) -> Explanation {
    let count = targets.count
    var explanation = Explanation(
      .data,
      count == 1
        ? "a message lies in several folders" : "\(count) messages lie in several folders each",
      hint: "choose with --folder, or take all with --all-copies"
    )
    explanation.excerpt = targets.prefix(Self.listLimit).map { target in
      let isOneAccount = Set(target.files.map(\.account.name)).count == 1
      let places = target.files.map { file in
        (isOneAccount ? "" : "\(file.account.name)/") + folders(file.account).name(file.folder)
      }
      return "id:\(Printable.text(target.id))  \(places.joined(separator: ", "))  "
        + Printable.text(target.subject, limit: 50)
    }
    return explanation
  }
}
