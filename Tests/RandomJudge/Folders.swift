/// A message file; `letters` are its flags that the judge knows.
struct MessageFile {
  static let info = ":2,"
  static let known = Set("SFRDP")

  let box: String
  let part: String
  let name: String
  let path: String
  let base: String
  let allLetters: String

  /// A file in a part of the folder of a mailbox.
  init(_ folder: String, of box: String, _ part: String, _ name: String) {
    self.box = box
    self.part = part
    self.name = name
    path = "\(folder)/\(part)/\(name)"
    let colon = name.firstIndex(of: ":") ?? name.endIndex
    base = String(name[..<colon])
    allLetters = String(name[colon...].dropFirst(Self.info.count))
  }

  var letters: String { String(allLetters.filter(Self.known.contains).sorted()) }

  func read() -> [UInt8]? { Disk.read(path) }
}

/// The folders of one machine, by the names of their mailboxes, and what a mail program does in them.
///
/// A folder has another name where the configuration says so: below INBOX as on the server, or one of its own.
struct Folders {
  /// What names begin with on a server that keeps all mailboxes below INBOX.
  static let prefix = "INBOX/"
  /// What the names of folders begin with that are called in another way than their mailboxes.
  static let mark = "Map "

  let root: String

  /// The folder that there is for a mailbox; a new one bears its name.
  func path(_ box: String) -> String { "\(root)/\(folder(box))" }

  private func folder(_ box: String) -> String {
    if isMaildir(box) { return box }
    let others = [Self.mark + box, Self.prefix + box, Self.mark + Self.prefix + box]
    return others.first(where: isMaildir) ?? box
  }

  private func isMaildir(_ folder: String) -> Bool { Disk.isDirectory("\(root)/\(folder)/cur") }

  /// The mailbox of a folder.
  private func mailbox(_ folder: String) -> String {
    let isMarked = folder.hasPrefix(Self.mark)
    let name = folder.dropFirst(isMarked ? Self.mark.count : 0)
    return String(name.hasPrefix(Self.prefix) ? name.dropFirst(Self.prefix.count) : name)
  }

  /// Whether all folders below one stand there on disk too, so that they go with it.
  func takesAlong(_ box: String) -> Bool {
    names.filter { $0.hasPrefix(box + "/") }.allSatisfy { path($0).hasPrefix(path(box) + "/") }
  }

  /// The names of the mailboxes of all Maildirs.
  var names: [String] { Set(directories.map(mailbox)).sorted() }

  /// The mailboxes that have several folders.
  var doubled: [String] {
    Dictionary(grouping: directories, by: mailbox).filter { $1.count > 1 }.keys.sorted()
  }

  /// All Maildirs, relative to the root.
  private var directories: [String] {
    var found: [String] = []
    func walk(_ relative: String) {
      let base = relative.isEmpty ? root : "\(root)/\(relative)"
      let inner = Disk.names(base)
      if !relative.isEmpty, inner.contains("cur"), inner.contains("new") { found.append(relative) }
      for name in inner where !["cur", "new", "tmp", ".magnum"].contains(name) {
        let below = relative.isEmpty ? name : "\(relative)/\(name)"
        if Disk.isDirectory("\(root)/\(below)") { walk(below) }
      }
    }
    walk("")
    return found.sorted()
  }

  /// Whether a run has said in a folder whose it is.
  func isMarked(_ box: String) -> Bool { Disk.exists("\(path(box))/.magnum-id") }

  func isFolder(_ box: String) -> Bool { Disk.isDirectory("\(path(box))/cur") }

  /// All message files of folders.
  func files(_ boxes: [String]) -> [MessageFile] {
    boxes.flatMap { box in
      let path = path(box)
      return ["cur", "new"].flatMap { part in
        Disk.names("\(path)/\(part)").filter { !$0.hasPrefix(".") }
          .map { MessageFile(path, of: box, part, $0) }
      }
    }
  }

  /// The files of a token in a folder.
  func files(_ token: String, _ box: String) -> [MessageFile] {
    files([box]).filter { $0.read().flatMap(JudgeMessage.identify)?.token == token }
  }

  func make(_ box: String) throws {
    for part in ["tmp", "new", "cur"] { try Disk.make("\(path(box))/\(part)") }
  }

  /// A new file, as a mail program makes one: in tmp, then renamed into its place.
  func deliver(
    _ octets: [UInt8],
    _ box: String,
    _ letters: String,
    _ base: String,
    at moment: Int? = nil
  ) throws {
    let part = letters.isEmpty ? "new" : "cur"
    let name = letters.isEmpty ? base : base + MessageFile.info + letters
    try Disk.write(octets, to: "\(path(box))/tmp/\(base)", at: moment)
    try Disk.rename("\(path(box))/tmp/\(base)", to: "\(path(box))/\(part)/\(name)")
  }

  /// Other flags by a rename; letters that the judge does not know stay.
  func setLetters(_ file: MessageFile, _ letters: Set<Character>) throws {
    let all = letters.union(file.allLetters.filter { !MessageFile.known.contains($0) })
    let name = file.base + MessageFile.info + String(all.sorted())
    try Disk.rename(file.path, to: "\(path(file.box))/cur/\(name)")
  }

  /// Into another folder: under its base name, or under a new one as mutt does.
  func move(_ file: MessageFile, to box: String, base: String?) throws {
    try checkFree(base ?? file.base, box)
    let part = base == nil ? file.part : "cur"
    let name = base.map { $0 + MessageFile.info + file.allLetters } ?? file.name
    guard isFolder(box) else { throw Disk.Refused(what: box) }
    try Disk.rename(file.path, to: "\(path(box))/\(part)/\(name)")
  }

  /// A copy: through tmp, as mail programs make it.
  func copy(_ file: MessageFile, to box: String, base: String, at moment: Int? = nil) throws {
    try checkFree(base, box)
    guard let octets = file.read() else { throw Disk.Refused(what: file.path) }
    let name = base + file.name.dropFirst(file.base.count)
    try Disk.write(octets, to: "\(path(box))/tmp/\(base)", at: moment)
    try Disk.rename("\(path(box))/tmp/\(base)", to: "\(path(box))/\(file.part)/\(name)")
  }

  private func checkFree(_ base: String, _ box: String) throws {
    guard !files([box]).contains(where: { $0.base == base }) else { throw Disk.Refused(what: base) }
  }

  /// A draft written anew: in its place, replaced under its name, or under a new name as mutt does.
  func edit(_ file: MessageFile, _ octets: [UInt8], how: String, base: String, at moment: Int)
    throws
  {
    if how == "inplace" { return try Disk.write(octets, to: file.path, at: moment) }
    let temporary = "\(path(file.box))/tmp/\(base)"
    try Disk.write(octets, to: temporary, at: moment)
    if how == "replace" {
      guard Disk.exists(file.path) else { throw Disk.Refused(what: file.path) }
      return try Disk.rename(temporary, to: file.path)
    }
    let name = base + MessageFile.info + file.allLetters
    try Disk.rename(temporary, to: "\(path(file.box))/cur/\(name)")
    try Disk.remove(file.path)
  }
}
