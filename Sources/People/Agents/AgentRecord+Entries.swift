package import AgentPlan
package import Correspondence
internal import JSON
internal import MIME
internal import Octets
internal import Platform
package import SpoolPlan

/// An entry of the queue that an agent made of a draft.
struct SentDraft: Hashable {
  let entry: EntryID
  let account: String
  /// The handle of the draft.
  let draft: String
  /// The message that it answers or forwards; nil where there is none, or an earlier version of the program made the entry.
  let origin: Draft.Origin?

  init(entry: EntryID, account: String, draft: String, origin: Draft.Origin?) {
    (self.entry, self.account, self.draft, self.origin) = (entry, account, draft, origin)
  }

  fileprivate init?(_ line: JSONValue) {
    let text = { (name: String) in line.member(name)?.octets }
    guard let entry = text("entry").flatMap({ EntryID($0) }), let account = text("account"),
      let draft = text("draft")
    else { return nil }
    self.entry = entry
    self.account = String(decoding: account, as: UTF8.self)
    self.draft = String(decoding: draft, as: UTF8.self)
    origin =
      Self.acts.lazy.compactMap { act in
        text(act.rawValue).flatMap { Hex.decode($0) }.flatMap { MessageID(stripping: $0) }
          .map { Draft.Origin(act, $0) }
      }.first
  }

  private static let acts: [Draft.Origin.Act] = [.answered, .forwarded]

  fileprivate var line: JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("entry", .string("\(entry)")), ("account", .string(account)), ("draft", .string(draft)),
    ]
    if let origin {
      // In digits, since an id may hold octets that no text has.
      let digits = String(decoding: Hex.encode(origin.id.octets), as: UTF8.self)
      members.append((origin.act.rawValue, .string(digits)))
    }
    return .object(members)
  }
}

// What an agent handed in to be sent, in the file `entries`: a line of JSON for each, and one for each release.
extension AgentRecord {
  private var entriesFile: Path { directory.appending("entries") }

  /// What was handed in, the oldest first, and the names of what a person released.
  ///
  /// - Throws: `full` where the record cannot be read.
  func entries() throws(ToolFailure) -> (sent: [SentDraft], released: [EntryID]) {
    let octets: [UInt8]
    do throws(SystemError) {
      octets = try FileSystem.readFile(entriesFile, limit: 1 << 26, .read.guarded) ?? []
    } catch {
      throw .full
    }
    var (sent, released): ([SentDraft], [EntryID]) = ([], [])
    for line in octets.split(separator: ASCII.lineFeed) {
      guard let value = try? JSONValue([UInt8](line)) else { continue }
      if let id = value.member("released")?.octets.flatMap({ EntryID($0) }) { released.append(id) }
      if let entry = SentDraft(value) { sent.append(entry) }
    }
    return (sent, released)
  }

  /// Records an entry before it is there; durable on return.
  func add(_ entry: SentDraft) throws(ToolFailure) {
    try append(entry.line, to: entriesFile, isDurable: true)
  }

  /// The message that is answered or forwarded by an entry, or by a new version of it, which has the place of the one before.
  package func origin(of entry: EntryID) -> Draft.Origin? {
    (try? entries())?.sent.last { $0.entry.microseconds == entry.microseconds }?.origin
  }

  /// Records that a person released an entry, for the agent to know what became of it.
  package func addRelease(of entry: EntryID) throws(ToolFailure) {
    let line = JSONValue.object([("released", .string("\(entry)"))])
    try append(line, to: entriesFile, isDurable: false)
  }
}
