import Glibc
import TestSupport

/// A mail client that works on the Maildirs without rest.
struct FolderClient {
  private let root: String
  private let ledger: MessageLedger
  private var random: SeededGenerator
  private var removals = 0
  private var folders = 0
  private var names = 0
  private var copies = 0
  private var saves = 0

  /// A file as a look at its directory showed it.
  private struct Seen {
    let folder: String
    let path: String
    let base: String
    let flags: String
    let number: Int
    let octets: [UInt8]
  }

  init(_ root: String, _ ledger: MessageLedger, seed: UInt64) {
    self.root = root
    self.ledger = ledger
    random = SeededGenerator(seed: seed)
  }

  /// Does one thing.
  mutating func act() throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<10: try save()
    case 10..<12: try makeFolder()
    case 12..<17: remove()
    case 17..<40: move()
    case 40..<44: try copy()
    case 44..<50: try editDraft()
    case 50..<53: try rewrite()
    default: setFlags()
    }
  }

  // MARK: Files

  private mutating func anyFolder() -> String {
    let tree = MaildirNames(root).names.filter { $0 != "Trash" && $0 != "Drafts" }
    return tree.randomElement(using: &random) ?? "INBOX"
  }

  private mutating func pick(_ folder: String) -> Seen? {
    let files = ["new", "cur"].flatMap { subdirectory in
      Files.names(in: "\(root)/\(folder)/\(subdirectory)").map {
        "\(subdirectory)/\(String(decoding: $0, as: UTF8.self))"
      }
    }
    guard let name = files.randomElement(using: &random) else { return nil }
    let path = "\(root)/\(folder)/\(name)"
    guard let octets = Files.read(path), let number = MessageLedger.number(of: octets) else {
      return nil
    }
    let words = name.dropFirst(4).split(separator: ":2,", omittingEmptySubsequences: false)
    let flags = words.count > 1 ? String(words[1]) : ""
    let base = String(words[0])
    return Seen(
      folder: folder,
      path: path,
      base: base,
      flags: flags,
      number: number,
      octets: octets
    )
  }

  private mutating func newName() -> String {
    names += 1
    return "1736164800.\(names).clients"
  }

  /// Writes to tmp, then renames, as it is done.
  private mutating func deliver(_ octets: [UInt8], to folder: String, flags: String) throws {
    let name = newName()
    let draft = "\(root)/\(folder)/tmp/\(name)"
    try Files.write(octets.filter { $0 != 13 }, to: draft)
    let place =
      flags.isEmpty && Bool.random(using: &random) ? "new/\(name)" : "cur/\(name):2,\(flags)"
    guard rename(draft, "\(root)/\(folder)/\(place)") == 0 else {
      throw HarnessError(call: "rename \(draft)", code: errno)
    }
  }

  // MARK: What is done

  private mutating func save() throws {
    guard saves < 40 else { return }
    saves += 1
    let folder = anyFolder()
    let flags = String("FRS".filter { _ in Bool.random(using: &random) })
    let kinds: [MessageLedger.Kind] = [.common, .common, .common, .copied, .rewritten]
    let kind = kinds.randomElement(using: &random) ?? .common
    let number = ledger.add(kind, flags: flags, by: .folders, in: folder)
    try deliver(MessageLedger.octets(number), to: folder, flags: flags)
    ledger.note(number, .folders, "saved in \(folder) [\(flags)]")
  }

  private mutating func makeFolder() throws {
    guard folders < 2 else { return }
    folders += 1
    for name in ["tmp", "new", "cur"] {
      try Files.makeDirectories("\(root)/Made here \(folders)/\(name)")
    }
  }

  private mutating func setFlags() {
    guard let file = pick(anyFolder()), let flag = "FPRS".randomElement(using: &random) else {
      return
    }
    let changed =
      file.flags.contains(flag)
      ? file.flags.filter { $0 != flag } : String((file.flags + [flag]).sorted())
    guard rename(file.path, "\(root)/\(file.folder)/cur/\(file.base):2,\(changed)") == 0 else {
      return
    }
    ledger.noteFlags(file.number, .folders, from: file.flags, to: changed)
  }

  private mutating func move() {
    let target = anyFolder()
    guard let file = pick(anyFolder()), target != file.folder,
      ledger.kind(file.number) == .common
    else { return }
    let place = "\(root)/\(target)/cur/\(file.base):2,\(file.flags)"
    guard rename(file.path, place) == 0 else { return }
    ledger.note(
      file.number,
      .folders,
      "moved \(file.folder) -> \(target) [\(file.flags)] \(file.base)"
    ) {
      $0.wasMovedHere = true
    }
  }

  private mutating func remove() {
    guard removals < 12, let file = pick(anyFolder()), ledger.kind(file.number) == .common else {
      return
    }
    // Told before, since the next run may be faster than this thread.
    ledger.note(file.number, .folders, "removing from \(file.folder) \(file.base)") {
      $0.removers.insert(.folders)
    }
    removals += 1
    if unlink(file.path) != 0 { ledger.note(file.number, .folders, "not removed") }
  }

  /// Under the same name in another folder, or under another name.
  private mutating func copy() throws {
    let target = anyFolder()
    guard let file = pick(anyFolder()), ledger.kind(file.number) == .copied else { return }
    guard copies < 20 else { return }
    copies += 1
    let isSame = target != file.folder && Bool.random(using: &random)
    let base = isSame ? file.base : newName()
    let place = "\(root)/\(target)/cur/\(base):2,\(file.flags)"
    guard !MaildirNames.has(base, in: "\(root)/\(target)") else { return }
    let draft = "\(root)/\(target)/tmp/\(newName())"
    try Files.write(file.octets, to: draft)
    guard rename(draft, place) == 0 else { throw HarnessError(call: "rename", code: errno) }
    ledger.note(file.number, .folders, "copied \(file.folder) -> \(target) as \(base)") {
      $0.copies += 1
    }
  }

  /// In its place, or as a new file beside which the old one goes.
  private mutating func editDraft() throws {
    guard let file = pick("Drafts") else { return try newDraft() }
    let version = ledger.nextVersion(file.number)
    let octets = MessageLedger.octets(file.number, version: version)
    let isInPlace = Bool.random(using: &random)
    ledger.note(file.number, .folders, "version \(version) \(isInPlace ? "in place" : "beside")")
    if isInPlace {
      let descriptor = open(file.path, O_WRONLY | O_TRUNC | O_CLOEXEC)
      // Renamed meanwhile: then beside.
      guard descriptor < 0 else {
        defer { close(descriptor) }
        return try Files.writeAll(octets.filter { $0 != 13 }, to: descriptor)
      }
    }
    try deliver(octets, to: "Drafts", flags: "DS")
    removeDrafts(file.number, before: version)
  }

  private mutating func newDraft() throws {
    let number = ledger.add(.draft, flags: "", by: .folders, in: "Drafts")
    try deliver(MessageLedger.octets(number), to: "Drafts", flags: "DS")
    ledger.note(number, .folders, "drafted")
  }

  /// A draft's file may be renamed while it is looked for.
  private func removeDrafts(_ number: Int, before version: Int) {
    for octets in Files.names(in: "\(root)/Drafts/cur") {
      let path = "\(root)/Drafts/cur/\(String(decoding: octets, as: UTF8.self))"
      guard let text = Files.read(path), MessageLedger.number(of: text) == number else { continue }
      let isNew = String(decoding: text, as: UTF8.self).contains("version \(version).\n")
      if !isNew { unlink(path) }
    }
  }

  /// As mutt saves a message elsewhere: a new name and other headers, then the old one goes.
  private mutating func rewrite() throws {
    let target = anyFolder()
    guard let file = pick(anyFolder()), target != file.folder,
      ledger.kind(file.number) == .rewritten, !ledger.wasRewritten(file.number)
    else { return }
    ledger.note(file.number, .folders, "rewritten \(file.folder) -> \(target) \(file.base)") {
      $0.wasRewritten = true
    }
    try deliver(Array(MessageLedger.addedHeaders.utf8) + file.octets, to: target, flags: file.flags)
    guard unlink(file.path) != 0 else { return }
    ledger.note(file.number, .folders, "the old one stayed") { $0.copies += 1 }
  }
}

/// The Maildirs below a root by their paths.
private struct MaildirNames {
  let names: [String]

  init(_ root: String) {
    names = Self.below(root, "").sorted()
  }

  private static func below(_ root: String, _ prefix: String) -> [String] {
    Files.names(in: root).flatMap { octets -> [String] in
      let name = String(decoding: octets, as: UTF8.self)
      guard !name.hasPrefix("."), !["cur", "new", "tmp"].contains(name) else { return [] }
      let path = "\(root)/\(name)"
      guard Files.isDirectory(path) else { return [] }
      let isMaildir = ["tmp", "new", "cur"].allSatisfy { Files.isDirectory("\(path)/\($0)") }
      return (isMaildir ? [prefix + name] : []) + below(path, "\(prefix)\(name)/")
    }
  }

  static func has(_ base: String, in folder: String) -> Bool {
    ["new", "cur"].contains { subdirectory in
      Files.names(in: "\(folder)/\(subdirectory)").contains {
        $0.starts(with: Array(base.utf8))
      }
    }
  }
}
