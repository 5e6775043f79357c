import MemoryStore

/// A message on a side.
struct Entry: CustomStringConvertible {
  let box: String
  let letters: Set<Character>
  let keywords: Set<String>
  /// Its UID, or the name of its file.
  let name: String
  let isMarked: Bool
  let token: String?
  let revision: Int
  let octets: [UInt8]
  let isOnServer: Bool

  init(
    _ box: String,
    _ octets: [UInt8],
    _ letters: Set<Character>,
    _ keywords: Set<String>,
    _ name: String,
    isOnServer: Bool,
    isMarked: Bool = false
  ) {
    self.box = box
    self.letters = letters
    self.keywords = keywords
    self.name = name
    self.isMarked = isMarked
    self.isOnServer = isOnServer
    self.octets = Self.withoutServerFields(octets)
    let found = JudgeMessage.identify(octets)
    token = found?.token
    revision = found?.revision ?? 0
  }

  /// The message as it was before a server that changes what it takes, or what it copies, put fields of its own before it.
  static func withoutServerFields(_ octets: [UInt8]) -> [UInt8] {
    var rest = octets[...]
    while let field = MemoryAbilities.addedFields.first(where: { rest.starts(with: $0.utf8) }),
      let end = rest.firstIndex(of: 0x0A), end <= rest.startIndex + field.utf8.count + 1
    {
      rest = rest[(end + 1)...]
    }
    return [UInt8](rest)
  }

  /// Whether the octets are those of the revision that it says it is.
  func has(_ kind: String) -> Bool {
    guard let token else { return false }
    let wire = JudgeMessage.wire(token, revision, kind)
    return octets == wire || !isOnServer && octets == JudgeMessage.stored(wire)
  }

  /// Its UID, or the base name of its file.
  var identifier: String {
    guard !isOnServer, let file = name.split(separator: "/").last else { return name }
    return String(file.prefix { $0 != ":" })
  }

  var mark: String {
    "\(box)|\(name)|\(String(letters.sorted()))|\(keywords.sorted())|\(octets.hashValue)"
  }

  var description: String {
    let flags = String(letters.sorted()) + keywords.sorted().map { " \($0)" }.joined()
    return "\(box)/\(token ?? "?") r\(revision) [\(flags)] \(name)" + (isMarked ? " marked" : "")
  }
}

/// All messages of all sides, and the names of the mailboxes and folders.
struct Sides {
  var entries: [String: [Entry]] = [:]
  var boxes: [String: Set<String>] = [:]

  init(_ world: World) {
    boxes[Model.server] = Set(world.mailboxes)
    entries[Model.server] = world.mailboxes.flatMap { box in
      world.messages(box).map { uid, message in
        Entry(
          box,
          message.octets,
          message.shown,
          message.keywords,
          "UID \(uid)",
          isOnServer: true,
          isMarked: message.isMarked
        )
      }
    }
    for machine in world.machines {
      var plain: [String: String] = [:]
      for folder in machine.folders.names {
        plain[folder] = Self.plain(folder, boxes[Model.server] ?? [])
      }
      boxes[machine.name] = Set(plain.values)
      entries[machine.name] = machine.folders.files(plain.keys.sorted()).map { file in
        Entry(
          plain[file.box] ?? file.box,
          file.read() ?? [],
          Set(file.letters),
          [],
          "\(file.part)/\(file.name)",
          isOnServer: false
        )
      }
    }
  }

  /// The name of a folder's mailbox: what no folder can be called is written as "%XX".
  private static func plain(_ folder: String, _ mailboxes: Set<String>) -> String {
    if mailboxes.contains(folder) { return folder }
    var (octets, rest) = ([UInt8](), Array(folder.utf8)[...])
    while let octet = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if octet == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(digits, radix: 16) {
        octets.append(value)
        rest = rest.dropFirst(2)
      } else {
        octets.append(octet)
      }
    }
    let name = String(decoding: octets, as: UTF8.self)
    return mailboxes.contains(name) ? name : folder
  }

  /// What must not change any more.
  var mark: [String] {
    entries.flatMap { side, found in found.map { "\(side)|\($0.mark)" } }.sorted()
      + boxes.map { "\($0.key)|\($0.value.sorted())" }.sorted()
  }

  /// The messages of a token by side.
  func entries(of token: String) -> [String: [Entry]] {
    entries.mapValues { found in found.filter { $0.token == token } }
  }
}
