import TestSupport
import Testing

/// A few mailboxes, of which `Rot` has four mails, for suites about folders as a whole.
protocol FolderScene {}

extension FolderScene {
  /// A stage on which both sides are the same, with a server that hides some capabilities.
  func stage(_ hidden: [String] = []) throws -> Stage {
    var options = DovecotOptions()
    for name in hidden { options = options.hiding(name) }
    let stage = try Stage(options)
    try stage.configure(url: stage.server.clearURL)
    try stage.imap.create("Trash")
    try stage.imap.create("Rot")
    try stage.imap.append(mails("A"), to: "Rot", flags: "\\Seen")
    try stage.settle()
    return stage
  }

  /// Four mails.
  func mails(_ letter: String) -> [[UInt8]] { (0..<4).map { mail("\(letter)\($0)") } }

  /// Renames a folder.
  func move(_ stage: Stage, _ old: String, _ new: String) throws {
    try Command.shell("mv \"$1/$2\" \"$1/$3\"", [stage.maildir, old, new])
  }

  /// Both sides have just these mails, each once, in just these mailboxes.
  func expect(
    _ wanted: [String: [String]],
    _ stage: Stage,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try stage.expectSettled(sourceLocation: sourceLocation)
    let there = try stage.imap.everything().filter { !["INBOX", "Trash"].contains($0.key) }
    let found = there.mapValues { $0.map(\.subject).sorted() }
    #expect(found == wanted, sourceLocation: sourceLocation)
  }

  /// The subjects of ``mails(_:)``.
  func names(_ letter: String) -> [String] { (0..<4).map { "\(letter)\($0)" } }
}
