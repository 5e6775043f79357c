internal import AgentPlan
internal import Configuration
internal import Correspondence
internal import MailModel
internal import Octets
internal import Platform
internal import Query
internal import SearchIndex
internal import Threads
internal import Triage

/// The mail of an agent at the moment of a call: all that tools read goes through here.
struct AgentMail {
  let profile: AgentProfile
  let set: SearchSet
  let view: AgentView
  /// The sent mail, by its Maildir.
  let sent: [Path: SentMail]
  private let folders: [Path: ViewedFolder]
  private let now: Int64

  /// - Throws: `refused` where a query of the agent is wrong, `again` where an index cannot be read.
  init(_ profile: AgentProfile, _ roles: FolderRoles, now: Int64) throws(ToolFailure) {
    (self.profile, self.now) = (profile, now)
    do {
      let searched = SearchedAccounts(profile.accounts, named: [])
      set = try SearchSet(searched, stemming: "english").withoutWordLimit
      var folders: [Path: ViewedFolder] = [:]
      let paths = try set.folderPaths()
      let names = paths.map { ($0.reader.account ?? "", $0.path) }
      let (special, sent) = try roles.folders(profile, names)
      self.sent = sent
      for (reader, path) in paths {
        let account = [UInt8]((reader.account ?? "").utf8)
        let folder = ViewedFolder(
          account: account,
          path: path,
          needsName: special[account, default: []].contains(path)
        )
        folders[path.isEmpty ? reader.place.root : reader.place.root.appending(path)] = folder
      }
      self.folders = folders
      let queries = try profile.queries(now: now)
      view = AgentView(
        read: queries.read,
        never: queries.never,
        folders: [ViewedFolder](folders.values),
        Self.meaning
      )
    } catch let error as ToolFailure {
      throw error
    } catch {
      throw error is Explanation ? .refused : .again
    }
  }

  /// What a term that names a place means.
  @Sendable private static func meaning(_ term: Query, _ folder: ViewedFolder) -> Bool? {
    let account = String(decoding: folder.account, as: UTF8.self)
    switch term {
    case .exact(.account, let name): return folder.account == name
    case .exact(.folder, let name): return FolderWords.isMeant(folder.path, account, by: name)
    case .exact(.path, let name): return FolderWords.isBelow(folder.path, account, name)
    case .exact(.tag, let name) where name.equalsCaseless([UInt8](ascii: "inbox")):
      return FolderWords.isInbox(folder.path)
    case .pattern(let text, .folder), .pattern(let text, .path):
      return (try? TextPattern(text))?.fits(folder.path) ?? false
    default: return nil
    }
  }

  // MARK: Queries

  /// What finds what a client asks for, in the view alone; tags that searches leave out are left out.
  func query(_ text: String) throws(ToolFailure) -> Query {
    let asked: Query
    do throws(QueryError) {
      let dates = DateContext(now: now) { LocalTime.offset(at: $0) }
      asked = try QueryParser.parse([UInt8](text.utf8), dates, names: .none)
    } catch {
      throw .query
    }
    return try view.within(asked.withoutExcluded(profile.configuration.search), Self.meaning)
  }

  /// Looks something up in the indexes.
  func look<Value>(
    _ body: (SearchSet) throws(IndexError) -> Value
  ) throws(ToolFailure) -> Value {
    do throws(IndexError) {
      return try body(set)
    } catch {
      switch error {
      case .tooManyWords, .pattern: throw .query
      default: throw .again
      }
    }
  }

  /// The messages of an id as a search gave it, the newest first.
  ///
  /// - Throws: `not-found` where the view has none.
  func messages(_ id: String, limit: Int) throws(ToolFailure) -> [FoundMessage] {
    let name = MessageName(id)
    let query = Query.and([view.query, name.query])
    var found = try look { (set) throws(IndexError) in
      try set.messages(query, .newestFirst, limit: name.isExact ? limit : .max)
    }
    if !name.isExact { found = found.filter { name.means($0) } }
    guard !found.isEmpty else { throw .notFound }
    return [FoundMessage](found.prefix(limit))
  }

  /// Those files of a message of the view that may be read.
  func files(of message: FoundMessage) throws(ToolFailure) -> [FoundFile] {
    var known: [ViewedFolder: Bool] = [:]
    var files: [FoundFile] = []
    for file in message.files {
      guard let folder = folders[file.maildir] else { continue }
      if known[folder] == nil { known[folder] = try isSeen(message, in: folder) }
      if known[folder] == true { files.append(file) }
    }
    return files
  }

  /// A message as triage takes it, with its files in the view.
  ///
  /// - Throws: `not-found` where it has none.
  func target(of message: FoundMessage) throws(ToolFailure) -> Target {
    let files = try files(of: message).compactMap { file -> TargetFile? in
      guard let folder = folders[file.maildir],
        let account = profile.accounts.first(where: { folder.account.elementsEqual($0.name.utf8) })
      else { return nil }
      return TargetFile(account: account, folder: folder.path, file: file.file)
    }
    guard !files.isEmpty else { throw .notFound }
    return Target(id: message.id, subject: message.subject, among: files)
  }

  private func isSeen(
    _ message: FoundMessage,
    in folder: ViewedFolder
  ) throws(ToolFailure) -> Bool {
    switch view.condition(folder) {
    case .everything: return true
    case .nothing: return false
    case let rest:
      // What fits the only file of a message was found of the message.
      if message.files.count == 1 { return true }
      let query = Query.and([view.query, .exact(.id, message.id), rest])
      let found = try look { (set) throws(IndexError) in try set.messages(query, .unsorted) }
      return found.contains { $0.identity == message.identity }
    }
  }

  /// How many messages of the view each of some threads has.
  func sizes(of threads: [ThreadID]) throws(ToolFailure) -> [ThreadID: Int] {
    let names = Set(threads).sorted().map { Query.exact(.thread, [UInt8]($0.description.utf8)) }
    guard !names.isEmpty else { return [:] }
    return try look { (set) throws(IndexError) in
      try set.threadSizes(.and([view.query, .or(names)]))
    }
  }
}

extension Query {
  /// The query as magnum-search(1) has it: without messages whose tags are left out where the query does not name them.
  fileprivate func withoutExcluded(_ settings: SearchSettings) -> Query {
    excluding(unnamed(settings.excludedTags.map { [UInt8]($0.utf8) }))
  }
}

/// How tools name a message: by its id, or, where that holds what is not shown, by its thread and a checksum.
struct MessageName {
  private let id: [UInt8]
  private let hidden: (thread: [UInt8], sum: [UInt8])?

  private static let lengthLimit = 900

  init(_ text: String) {
    id = [UInt8](text.utf8)
    hidden = Self.hidden(id)
  }

  /// What a name says that stands for an id which is not shown; nil for an id.
  private static func hidden(_ name: [UInt8]) -> (thread: [UInt8], sum: [UInt8])? {
    guard name.first == UInt8(ascii: "~") else { return nil }
    let parts = name.dropFirst().split(separator: ASCII.minus)
    guard parts.count == 2, parts.allSatisfy({ $0.count == 16 && Hex.decode($0) != nil }) else {
      return nil
    }
    return ([UInt8](parts[0]), [UInt8](parts[1]))
  }

  /// The name of a message.
  static func of(_ message: FoundMessage) -> [UInt8] {
    let id = message.id
    if CleanText.isClean(id), !id.isEmpty, id.count <= lengthLimit, !id.contains(ASCII.lineFeed),
      !id.contains(ASCII.tab), hidden(id) == nil, String(validating: id, as: UTF8.self) != nil
    {
      return id
    }
    return [UInt8]("~\(message.thread)-".utf8) + sum(id)
  }

  var isExact: Bool { hidden == nil }

  var query: Query {
    hidden.map { .exact(.thread, $0.thread) } ?? .exact(.id, id)
  }

  func means(_ message: FoundMessage) -> Bool { hidden?.sum == Self.sum(message.id) }

  private static func sum(_ id: [UInt8]) -> [UInt8] { Hex.digits(Hash64.of(id)) }
}

/// The folders by their roles, kept as long as nothing changes: Trash, Junk and Drafts, which only a query means that names
/// them, and those of sent mail.
final class FolderRoles: Sendable {
  private struct Known: Sendable {
    let checksum: UInt64
    let folders: [[UInt8]]
    var special: [[UInt8]: Set<[UInt8]>] = [:]
    var sent: [Path: SentMail] = [:]
  }

  private let known = Monitor<Known?>(nil)

  /// The special folders of each account of a profile, which has these folders, and the Maildirs of sent mail.
  ///
  /// - Throws: why they cannot be found out: then nothing is read.
  func folders(
    _ profile: AgentProfile,
    _ folders: [(account: String, path: [UInt8])]
  ) throws(Explanation) -> (special: [[UInt8]: Set<[UInt8]>], sent: [Path: SentMail]) {
    let checksum = profile.configuration.checksum
    let names = folders.map { [UInt8]($0.account.utf8) + [0] + $0.path }
    if let known = known.withLock({ $0 }), known.checksum == checksum, known.folders == names {
      return (known.special, known.sent)
    }
    var found = Known(checksum: checksum, folders: names)
    for account in profile.accounts {
      found.special[[UInt8](account.name.utf8)] = try account.specialFolders()
      if let sent = try account.sentMail() { found.sent[sent.maildir] = sent }
    }
    known.withLock { [found] in $0 = found }
    return (found.special, found.sent)
  }
}
