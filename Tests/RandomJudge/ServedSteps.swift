import Glibc
import MemoryStore

/// What a server on the machine does that shows the same folders, as a local Dovecot does with
/// `mail_location = maildir:~/Mail:LAYOUT=fs`, and what its clients have it do.
///
/// It writes its own files beside the messages, moves what is new to cur, and gives files names of its own with their sizes; a
/// copy is another name of the same file.
struct ServedSteps {
  static let verbs: Set<String> = ["serve", "iappend", "imove", "icopy", "ifix", "letter"]

  let world: World
  let machine: Machine
  private var model: Model { world.model }
  private var folders: Folders { machine.folders }

  init(_ world: World, _ machine: Machine) {
    self.world = world
    self.machine = machine
  }

  func perform(_ verb: String, _ words: [String]) throws -> Bool {
    switch (verb, words.count) {
    case ("serve", 1): try serve(words[0])
    case ("iappend", 4): try append(words[0], words[1], words[2], words[3])
    case ("imove", 3): try transfer(words[0], words[1], words[2], isMove: true)
    case ("icopy", 3): try transfer(words[0], words[1], words[2], isMove: false)
    case ("ifix", 2): try fix(words[0], words[1])
    case ("letter", 3): try setLetter(words[0], words[1], words[2])
    default: throw BadStep(line: "\(machine.name) \(verb) \(words)")
    }
  }

  /// A client opens the folder.
  private func serve(_ box: String) throws -> Bool {
    guard folders.isFolder(box) else { return false }
    let path = folders.path(box)
    for file in folders.files([box]) where file.part == "new" {
      let info = file.name.contains(MessageFile.info) ? "" : MessageFile.info
      try Disk.rename(file.path, to: "\(path)/cur/\(file.name)\(info)")
    }
    let files = folders.files([box])
    let lines = files.enumerated().map { "\($0 + 1) :\($1.name)" }
    let head = "3 V1700000000 N\(files.count + 1) G00112233445566778899aabbccddeeff"
    try Disk.write(
      Array((([head] + lines).joined(separator: "\n") + "\n").utf8),
      to: "\(path)/dovecot-uidlist.lock"
    )
    try Disk.rename("\(path)/dovecot-uidlist.lock", to: "\(path)/dovecot-uidlist")
    try Disk.write(Array("0 red\n1 $Label1\n".utf8), to: "\(path)/dovecot-keywords")
    for name in ["dovecot.index.log", "dovecot.index.cache"] {
      try Disk.write([1, 3, 0, UInt8(truncatingIfNeeded: files.count)], to: "\(path)/\(name)")
    }
    for name in ["dovecot-uidvalidity", "dovecot-uidvalidity.65500000", "subscriptions"] {
      try Disk.write(Array("INBOX\n".utf8), to: "\(folders.root)/\(name)")
    }
    return true
  }

  private func append(_ token: String, _ box: String, _ letters: String, _ kind: String) throws
    -> Bool
  {
    let letters = letters == Step.noLetters ? "" : letters
    guard model.tokens[token] == nil, model.sideOnly[box] == nil, folders.isFolder(box) else {
      return false
    }
    let octets = JudgeMessage.file(token, 1, kind)
    let base = sized(world.freshBase(), octets)
    try folders.deliver(octets, box, letters, base, at: world.ownMoment(kind))
    model.new(token, kind, machine.name, box, letters)
    return true
  }

  private func transfer(_ token: String, _ box: String, _ to: String, isMove: Bool) throws -> Bool {
    guard let file = folders.files(token, box).first, box != to, model.sideOnly[to] == nil,
      folders.isFolder(to), let octets = file.read()
    else { return false }
    let name = sized(world.freshBase(), octets) + MessageFile.info + file.allLetters
    guard link(file.path, "\(folders.path(to))/cur/\(name)") == 0 else { return false }
    if isMove {
      try Disk.remove(file.path)
      model.event(token, .mutt, machine.name, box, to)
    } else {
      model.copy(token, machine.name, box, to, Set(file.letters), [], "new")
    }
    return true
  }

  /// A name without sizes gets them; one that has them gets another mark, as other programs give it.
  private func fix(_ token: String, _ box: String) throws -> Bool {
    guard let file = folders.files(token, box).first, let octets = file.read(),
      !file.base.contains(",U=")
    else { return false }
    let base = file.base.contains(",S=") ? file.base + ",U=7" : sized(file.base, octets)
    try Disk.rename(
      file.path,
      to: "\(folders.path(box))/\(file.part)/\(base)\(file.name.dropFirst(file.base.count))"
    )
    model.event(token, .mutt, machine.name, box, box)
    return true
  }

  /// A keyword, which no other server sees.
  private func setLetter(_ token: String, _ box: String, _ change: String) throws -> Bool {
    guard let file = folders.files(token, box).first, let letter = change.last else { return false }
    var letters = Set(file.allLetters)
    if change.hasPrefix("+") { letters.insert(letter) } else { letters.remove(letter) }
    let name = file.base + MessageFile.info + String(letters.sorted())
    guard name != file.name else { return false }
    try Disk.rename(file.path, to: "\(folders.path(box))/cur/\(name)")
    return true
  }

  /// A base name with the sizes of the file, and of the message on the wire.
  private func sized(_ base: String, _ octets: [UInt8]) -> String {
    "\(base),S=\(octets.count),W=\(octets.count + octets.count { $0 == 0x0A })"
  }
}
