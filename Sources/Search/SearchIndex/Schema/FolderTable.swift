internal import Octets

/// The folders of an index by number; a folder keeps its number as long as the generation lives.
struct FolderTable: Hashable {
  private(set) var names: [[UInt8]] = []
  private var numbers: [[UInt8]: Int] = [:]

  init() {}

  init(_ octets: [UInt8]) {
    var reader = OctetReader(octets)
    while !reader.isAtEnd, !reader.isCut { _ = number(of: reader.text()) }
  }

  var octets: [UInt8] {
    var writer = OctetWriter()
    for name in names { writer.add(name) }
    return writer.octets
  }

  /// The number of a folder (its path below the root; empty for the root itself), a new one where it has none.
  mutating func number(of name: [UInt8]) -> Int {
    if let number = numbers[name] { return number }
    numbers[name] = names.count
    names.append(name)
    return names.count - 1
  }

  /// The number of a folder; nil where it has none.
  func known(_ name: [UInt8]) -> Int? { numbers[name] }

  /// The path of a folder; empty also for a number that nothing has.
  func name(_ number: Int) -> [UInt8] { names.indices.contains(number) ? names[number] : [] }

  /// Whether a folder is the inbox.
  func isInbox(_ number: Int) -> Bool { FolderWords.isInbox(name(number)) }
}
