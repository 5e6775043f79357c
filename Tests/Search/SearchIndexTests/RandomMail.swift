import Glibc
import Maildir
import Platform
import SearchIndex
import TestSupport

/// A small Maildir that changes by chance, and what changed.
struct RandomMail {
  let mailbox: Mailbox
  var generator: SeededGenerator
  private var files: [String] = []
  private var count = 0

  init(seed: UInt64) throws {
    mailbox = try Mailbox()
    generator = SeededGenerator(seed: seed)
    for _ in 0..<8 { _ = try deliver() }
  }

  /// Changes so many things.
  mutating func change(_ count: Int) throws -> [MaildirChange] {
    var changes: [MaildirChange] = []
    for _ in 0..<count {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<4: changes.append(try deliver())
      case 4..<6 where !files.isEmpty: changes.append(try remove())
      case 6..<8 where !files.isEmpty: changes.append(try rename(isMove: false))
      case 8 where !files.isEmpty: changes.append(try rename(isMove: true))
      case 9 where !files.isEmpty: changes += try mark()
      default: changes.append(try deliver(copy: true))
      }
    }
    return changes
  }

  private mutating func deliver(copy: Bool = false) throws -> MaildirChange {
    count += 1
    let folder = ["INBOX", "Lists/a", "Sent"][Int.random(in: 0..<3, using: &generator)]
    let path = "\(folder)/\(Bool.random(using: &generator) ? "new/\(count)" : "cur/\(count):2,")"
    let id = copy ? Int.random(in: 0..<12, using: &generator) : count % 12
    let reference = Int.random(in: 0..<16, using: &generator)
    var lines = ["Message-ID: <\(id)@x>", "Date: \(1 + id % 28) Jul 2026 10:00:00 +0000"]
    if reference < 12 { lines.append("References: <\(reference)@x>") }
    lines.append("Subject: topic \(id % 3)")
    lines += ["", "body \(copy ? id : id + Int.random(in: 0..<2, using: &generator))", ""]
    try mailbox.write(path, Array(lines.joined(separator: "\n").utf8))
    files.append(path)
    let (place, file) = Mailbox.place(path)
    return .added(folder: place, file)
  }

  private mutating func take() -> String {
    files.remove(at: Int.random(in: files.indices, using: &generator))
  }

  private mutating func remove() throws -> MaildirChange {
    let path = take()
    try mailbox.remove(path)
    let (folder, file) = Mailbox.place(path)
    return .removed(folder: folder, file)
  }

  private mutating func rename(isMove: Bool) throws -> MaildirChange {
    let path = take()
    let parts = path.split(separator: "/").map { "\($0)" }
    let base = (parts.last ?? "").split(separator: ":")[0]
    let flags = ["", "S", "FS", "R", "T"][Int.random(in: 0..<5, using: &generator)]
    let folder = isMove ? "Archive" : parts.dropLast(2).joined(separator: "/")
    let new = "\(folder)/cur/\(base):2,\(flags)"
    try mailbox.rename(path, new)
    files.append(new)
    let (oldFolder, oldFile) = Mailbox.place(path)
    let (newFolder, newFile) = Mailbox.place(new)
    return .renamed(folder: oldFolder, oldFile, toFolder: newFolder, newFile)
  }

  /// Gives all messages of a folder other keywords.
  private mutating func mark() throws -> [MaildirChange] {
    let path = files[Int.random(in: files.indices, using: &generator)]
    let folder = Mailbox.place(path).folder
    let there = files.map { Mailbox.place($0) }.filter { $0.folder == folder }
    var keywords: [[UInt8]: [[UInt8]]] = [:]
    for (_, file) in there {
      let count = Int.random(in: 0..<3, using: &generator)
      keywords[file.name.base] = ["$Blue", "red"].prefix(count).map { Array($0.utf8) }
    }
    let directory = Path(mailbox.root).appending(folder)
    _ = try KeywordFile(keywords).write(in: directory)
    return there.map { .marked(folder: folder, base: $0.file.name.base) }
  }
}

/// A symbolic link to itself.
func makeLoop(_ path: String) throws {
  guard symlink(path, path) == 0 else { throw HarnessError("symlink \(path)") }
}
