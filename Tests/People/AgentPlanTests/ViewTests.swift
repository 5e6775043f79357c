import Octets
import Query
import TestSupport
import Testing

@testable import AgentPlan

/// What an agent sees, as queries.
@Suite struct ViewTests {
  private static func folder(_ name: String, _ account: String = "work") -> ViewedFolder {
    let needsName = ["Trash", "Junk", "Drafts"].contains(name)
    return ViewedFolder(
      account: [UInt8](account.utf8),
      path: [UInt8](name.utf8),
      needsName: needsName
    )
  }

  private static let folders = ["INBOX", "Archive", "Private", "Trash", "Drafts"].map { folder($0) }

  private static func meaning(_ term: Query, _ folder: ViewedFolder) -> Bool? {
    switch term {
    case .exact(.folder, let name): folder.path == name
    case .exact(.account, let name): folder.account == name
    case .exact(.tag, let name) where name == [UInt8]("inbox".utf8):
      folder.path == [UInt8]("INBOX".utf8)
    default: nil
    }
  }

  private static func query(_ text: String) throws -> Query {
    try QueryParser.parse([UInt8](text.utf8), DateContext(now: 1_795_000_000) { _ in 0 })
  }

  private static func view(_ read: String, never: String? = nil) throws -> AgentView {
    AgentView(
      read: try query(read),
      never: try never.map { try query($0) } ?? .nothing,
      folders: folders,
      meaning
    )
  }

  /// A message in a world of words and folders, so that queries can be held against it.
  private struct Letter {
    let words: Set<String>
    let folders: [String]
  }

  /// Whether a query finds a message, as an index answers it: folders are properties of messages there.
  private static func finds(_ query: Query, _ letter: Letter) -> Bool {
    switch query {
    case .everything: true
    case .nothing: false
    case .word(let word, _, _): letter.words.contains(String(decoding: word, as: UTF8.self))
    case .exact(.folder, let name): letter.folders.contains(String(decoding: name, as: UTF8.self))
    case .exact(.account, let name): String(decoding: name, as: UTF8.self) == "work"
    case .exact(.tag, let name):
      String(decoding: name, as: UTF8.self) == "inbox" && letter.folders.contains("INBOX")
    case .and(let parts): parts.allSatisfy { finds($0, letter) }
    case .or(let parts): parts.contains { finds($0, letter) }
    case .xor(let parts): parts.count { finds($0, letter) } % 2 == 1
    case .not(let part): !finds(part, letter)
    default: false
    }
  }

  /// What is read, what never, and for folders of a message with the word `a`, whether it is in the view.
  static let rows: [(read: String, never: String?, folders: [String], isSeen: Bool)] = [
    ("*", nil, ["INBOX"], true), ("*", nil, ["Trash"], false), ("*", nil, ["Drafts"], false),
    ("*", nil, ["INBOX", "Trash"], true), ("folder:Trash", nil, ["Trash"], true),
    ("* or folder:Trash", nil, ["Trash"], true), ("not folder:Trash", nil, ["Trash"], false),
    ("not folder:Private", nil, ["Trash"], false), ("folder:INBOX", nil, ["INBOX"], true),
    ("folder:INBOX", nil, ["Archive"], false), ("folder:INBOX", nil, ["INBOX", "Private"], true),
    ("folder:INBOX folder:Archive", nil, ["Archive"], true),
    ("folder:INBOX and folder:Archive", nil, ["INBOX", "Archive"], false),
    ("folder:INBOX and a", nil, ["INBOX"], true), ("folder:INBOX and b", nil, ["INBOX"], false),
    ("folder:INBOX or b", nil, ["Archive"], false), ("folder:INBOX or a", nil, ["Archive"], true),
    ("not folder:INBOX", nil, ["INBOX", "Archive"], true),
    ("not folder:INBOX", nil, ["INBOX"], false),
    ("*", "folder:Private", ["INBOX"], true), ("*", "folder:Private", ["Private"], false),
    ("*", "folder:Private", ["INBOX", "Private"], false),
    ("folder:INBOX", "not folder:INBOX", ["INBOX", "Private"], false),
    ("folder:INBOX", "not folder:INBOX", ["INBOX"], true), ("*", "a", ["INBOX"], false),
    ("*", "b", ["INBOX"], true), ("*", "a and folder:Archive", ["INBOX"], true),
    ("*", "a and folder:Archive", ["Archive"], false),
    ("*", "a and folder:Archive", ["INBOX", "Archive"], false), ("*", "*", ["INBOX"], false),
    ("*", "folder:Trash", ["INBOX", "Trash"], false), ("tag:inbox", nil, ["INBOX"], true),
    ("tag:inbox", nil, ["Archive"], false), ("account:work", nil, ["INBOX"], true),
    ("account:home", nil, ["INBOX"], false),
    ("folder:INBOX xor folder:Archive", nil, ["INBOX"], true),
    ("folder:INBOX xor a", nil, ["INBOX"], false), ("folder:INBOX xor a", nil, ["Archive"], true),
    ("folder:INBOX", nil, ["Elsewhere"], false), ("not a", nil, ["INBOX"], false),
    ("account:work", "not account:work", ["INBOX"], true),
  ]

  @Test(arguments: rows.indices)
  func aMessageIsInTheViewByItsFiles(_ index: Int) throws {
    let row = Self.rows[index]
    let view = try Self.view(row.read, never: row.never)
    let letter = Letter(words: ["a"], folders: row.folders)
    #expect(Self.finds(view.query, letter) == row.isSeen, "\(row.read) never \(row.never ?? "")")
  }

  @Test func thereAreEnoughRows() { #expect(Self.rows.count >= 40) }

  @Test func onlyFilesOfTheViewAreRead() throws {
    let view = try Self.view("folder:INBOX or (folder:Archive and a)", never: nil)
    #expect(view.condition(Self.folder("INBOX")) == .everything)
    #expect(view.condition(Self.folder("Private")) == .nothing)
    #expect(view.condition(Self.folder("Trash")) == .nothing)
    #expect(view.condition(Self.folder("Archive")) == (try Self.query("a")))
    #expect(view.condition(Self.folder("INBOX", "other")) == .nothing)
  }

  // MARK: Queries of clients

  /// Whether no term of a query is outside the view: each thread is asked for within it.
  private static func isConfined(_ query: Query, _ view: Query) -> Bool {
    switch query {
    case .thread(.and(let parts)):
      parts.first == view && isConfined(.and([Query](parts.dropFirst())), view)
    case .thread: false
    case .and(let parts), .or(let parts), .xor(let parts):
      parts.allSatisfy { $0 == view || isConfined($0, view) }
    case .not(let part): isConfined(part, view)
    default: true
    }
  }

  @Test(arguments: [
    "*", "a", "not a", "thread:{a}", "not thread:{a}", "thread:{thread:{a}}",
    "a or thread:{b or not c}",
    "thread:0123456789abcdef", "from:x xor thread:{y}", "folder:Private", "not folder:Private",
    "subject:/a.*/", "date:2020..2021", "size:1k..", "beg*", "id:a@b", "ref:a@b", "related:a@b",
    "thread:{related:a@b}", "tag:muted", "is:unread", "\"a b\"", "a near b",
  ])
  func queriesAreConfined(_ text: String) throws {
    let view = try Self.view("folder:INBOX", never: "thread:{b}")
    let query = try view.within(try Self.query(text), Self.meaning)
    guard case .and(let parts) = query else {
      Issue.record("\(text) is not joined to the view")
      return
    }
    #expect(parts.count == 2)
    #expect(parts[0] == view.query)
    #expect(Self.isConfined(parts[1], view.query), "\(text)")
  }

  /// Whether a query asks for words of hidden recipients.
  private static func asksForHidden(_ query: Query) -> Bool {
    switch query {
    case .word(_, let field, _), .phrase(_, let field), .near(_, let field, _, _),
      .beginning(_, let field):
      field.map { [.to, .cc, .bcc].contains($0) } ?? true
    case .and(let parts), .or(let parts), .xor(let parts): parts.contains(where: asksForHidden)
    case .not(let part), .thread(let part): asksForHidden(part)
    default: false
    }
  }

  @Test(arguments: [
    "bob", "to:bob", "cc:bob", "recip:bob", "\"bob z\"", "to:\"bob z\"", "bo*", "cc:bo*",
    "bob near z", "not to:bob", "thread:{to:bob}", "(cc:bob or a) and not thread:{bob}",
    "to:(a or b)",
  ])
  func hiddenRecipientsAreNotAskedFor(_ text: String) throws {
    let view = try Self.view("*", never: "to:boss")
    let query = try Self.query(text)
    #expect(Self.asksForHidden(query))
    guard case .and(let parts) = try view.within(query, Self.meaning), parts.count == 2 else {
      Issue.record("\(text) is not joined to the view")
      return
    }
    let own = parts[1].without(view.query)
    #expect(!Self.asksForHidden(own), "\(own)")
    // What the person keeps from the agent goes by them.
    #expect(Self.asksForHidden(view.query))
  }

  @Test func placesMeanFoldersOfTheViewAlone() throws {
    let view = try Self.view("folder:INBOX")
    let query = try view.within(try Self.query("not folder:Private"), Self.meaning)
    #expect(query == .and([view.query, .not(.nothing)]))
    let letter = Letter(words: [], folders: ["INBOX", "Private"])
    #expect(Self.finds(query, letter))
  }

  @Test(arguments: [
    "path:INBOX", "path:/x/", "file:a", "lastmod:1..", "a or path:b", "not file:a",
    "thread:{lastmod:5}",
    "a xor (b and not file:c)", "subject:\"/((a{1,900}){1,900}){1,900}/\"", "subject:\"/(.*)\\1/\"",
  ])
  func someThingsAreNotAskedFor(_ text: String) throws {
    let view = try Self.view("*")
    #expect(throws: ToolFailure.query) {
      _ = try view.within(try Self.query(text), Self.meaning)
    }
  }

  @Test func namedQueriesAreUnknown() {
    #expect(throws: QueryError.self) { _ = try Self.query("query:private") }
  }
}

extension Query {
  /// The query without a part that it is joined to.
  fileprivate func without(_ joined: Query) -> Query {
    switch self {
    case _ where self == joined: .everything
    case .and(let parts): .and(parts.map { $0.without(joined) })
    case .or(let parts): .or(parts.map { $0.without(joined) })
    case .xor(let parts): .xor(parts.map { $0.without(joined) })
    case .not(let part): .not(part.without(joined))
    case .thread(let part): .thread(part.without(joined))
    default: self
    }
  }
}
