/// A channel of mbsync that syncs a server with a Maildir.
struct MbsyncChannel {
  /// Which side of the channel the server is.
  enum ServerSide {
    case far
    case near
  }

  /// A side: the store, and the mailbox in it; empty for the inbox, or for all that patterns let through.
  struct Place {
    let store: String
    let box: String

    /// Reads `:store:mailbox`; nil where it is something else.
    init?(_ text: String) {
      let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0].isEmpty, !parts[1].isEmpty else { return nil }
      store = String(parts[1])
      box = String(parts[2])
    }
  }

  let head: Directive
  let server: Place
  let local: Place
  let serverSide: ServerSide
  let imapStore: MbsyncFile.Section
  let maildirStore: MbsyncFile.Section
  /// The directive with patterns, and all of them in their order; none where one mailbox is synced.
  let patterns: [String]
  let patternLine: Directive?
  /// How many patterns, or single mailboxes, it has.
  var patternCount: Int { max(patterns.count, 1) }
  /// What it says besides, the global directives included.
  var set: DirectiveSet
  /// What was said outside of all sections, in place of what it does not say itself.
  var global: DirectiveSet

  /// Finds both sides.
  ///
  /// - Throws: `Remark` where there is not one server and one Maildir.
  init(_ section: MbsyncFile.Section, in file: MbsyncFile) throws(ImportProblem) {
    head = section.head
    set = section.set
    global = file.global
    let far = set.takeLast("Far", "Master").flatMap { Place($0.value) }
    let near = set.takeLast("Near", "Slave").flatMap { Place($0.value) }
    guard let far, let near else {
      throw ImportProblem(Remark(head, .notImported, "Far and Near have to be :store:mailbox"))
    }
    if let found = Self.stores(far, near, file) {
      (serverSide, server, local) = (.far, far, near)
      (imapStore, maildirStore) = found
    } else if let found = Self.stores(near, far, file) {
      (serverSide, server, local) = (.near, near, far)
      (imapStore, maildirStore) = found
    } else {
      let text = "Magnum mirrors an IMAP server to a Maildir; this has not one of each"
      throw ImportProblem(Remark(head, .notImported, text))
    }
    let lines = set.takeAll(["Pattern", "Patterns"])
    patterns = lines.flatMap(\.arguments)
    patternLine = lines.first
  }

  private static func stores(
    _ server: Place,
    _ local: Place,
    _ file: MbsyncFile
  ) -> (MbsyncFile.Section, MbsyncFile.Section)? {
    guard let imap = file.section(.imapStore, server.store),
      let maildir = file.section(.maildirStore, local.store)
    else { return nil }
    return (imap, maildir)
  }

  /// The directory of the store in which all folders of some channels lie, with a slash at its end.
  ///
  /// Empty where it is the store's own, or where the mailboxes lie in one of that name too.
  ///
  /// mbsync puts what stands behind the store in front of the names of folders.
  static func directory(of channels: [MbsyncChannel]) -> String {
    let parts = channels.map { Self.directories(of: $0.local.box) }
    var common = parts.first ?? []
    for other in parts { common = zip(common, other).prefix { $0 == $1 }.map(\.0) }
    let directory = common.map { "\($0)/" }.joined()
    return channels.allSatisfy { $0.server.box.hasPrefix(directory) } ? "" : directory
  }

  /// The parts of a name before its last slash.
  private static func directories(of box: String) -> [Substring] {
    box.split(separator: "/", omittingEmptySubsequences: false).dropLast()
  }

  /// Takes a directive of the channel, else the one that holds for all of them.
  mutating func takeDirective(_ name: String) -> Directive? {
    let own = set.takeLast(name)
    let general = global.takeLast(name)
    return own ?? general
  }
}
