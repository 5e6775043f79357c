internal import Octets

/// The database in which offlineimap keeps what both sides of a mailbox last agreed on, as a whole file.
///
/// offlineimap reads only SQLite (its import of the older text format is never reached). Such a file can be written without a
/// library: two tables, rows in the order of their keys, pages of 4 KiB (https://www.sqlite.org/fileformat2.html).
struct StatusDatabase {
  /// What offlineimap knows of a message.
  struct Row {
    /// The UID on the server.
    let uid: UInt32
    /// The letters of the flags.
    let flags: [UInt8]
  }

  private static let pageSize = 4096
  private static let headerSize = 100
  /// The pages of the roots; the first is the schema's.
  private static let (metadataRoot, indexRoot, statusRoot) = (2, 3, 4)

  /// The pages from the fourth on; the tree of the messages begins there.
  private var pages: [[UInt8]] = []

  /// Takes the messages, by ascending UIDs, each once.
  init(_ rows: [Row]) {
    pages = [[]]
    let cells = rows.map { (key: UInt64($0.uid), octets: Self.cell($0)) }
    let leaves = Self.split(cells, room: Self.pageSize - 8)
    pages[0] = tree(over: leaves)
  }

  /// The file.
  var octets: [UInt8] {
    let count = Self.statusRoot - 1 + pages.count
    var first = Self.header(pages: count)
    first += Self.page(0x0D, Self.schema, size: Self.pageSize, offset: Self.headerSize)
    let version = Self.record([.text("db_version"), .text("2")])
    let metadata = Self.page(0x0D, [Self.varint(UInt64(version.count)) + [1] + version])
    let key = Self.record([.text("db_version"), .one])
    let index = Self.page(0x0A, [Self.varint(UInt64(key.count)) + key])
    return ([first, metadata, index] + pages).flatMap { $0 }
  }

  // MARK: - The tree of the messages

  private typealias Cell = (key: UInt64, octets: [UInt8])

  /// Cells in runs that fit a page each; one empty run where there are none.
  private static func split(_ cells: [Cell], room: Int) -> [[Cell]] {
    var runs: [[Cell]] = [[]]
    var left = room
    for cell in cells {
      let size = cell.octets.count + 2
      if size > left {
        runs.append([])
        left = room
      }
      runs[runs.count - 1].append(cell)
      left -= size
    }
    return runs
  }

  /// Puts all pages but the root behind it, and gives the root.
  private mutating func tree(over leaves: [[Cell]]) -> [UInt8] {
    guard leaves.count > 1 else { return Self.page(0x0D, leaves[0].map(\.octets)) }
    var children = leaves.map { leaf in
      (key: leaf.last?.key ?? 0, page: add(Self.page(0x0D, leaf.map(\.octets))))
    }
    while true {
      let cells = children.map {
        (key: $0.key, octets: Self.number($0.page, 4) + Self.varint($0.key))
      }
      let runs = Self.split(cells, room: Self.pageSize - 12)
      if runs.count == 1 { return Self.interior(cells) }
      children = runs.map { run in (key: run.last?.key ?? 0, page: add(Self.interior(run))) }
    }
  }

  /// Adds a page, and gives its number.
  private mutating func add(_ page: [UInt8]) -> Int {
    pages.append(page)
    return Self.statusRoot - 1 + pages.count
  }

  /// A page that leads to others; the last has no cell, but a place of its own.
  private static func interior(_ cells: [Cell]) -> [UInt8] {
    let last = cells.last.map { Array($0.octets.prefix(4)) } ?? []
    return page(0x05, cells.dropLast().map(\.octets), rightmost: last)
  }

  // MARK: - Pages

  /// A page of a tree: its head, where the cells stand, room, the cells.
  private static func page(
    _ kind: UInt8,
    _ cells: [[UInt8]],
    rightmost: [UInt8] = [],
    size: Int = pageSize,
    offset: Int = 0
  ) -> [UInt8] {
    var places: [Int] = []
    var start = size
    for cell in cells {
      start -= cell.count
      places.append(start)
    }
    let head =
      [kind, 0, 0] + number(cells.count, 2) + number(start, 2) + [0] + rightmost
      + places.flatMap { number($0, 2) }
    let room = [UInt8](repeating: 0, count: start - offset - head.count)
    return head + room + cells.reversed().flatMap { $0 }
  }

  /// The rows of the schema.
  private static var schema: [[UInt8]] {
    let metadata = "CREATE TABLE metadata (key VARCHAR(50) PRIMARY KEY, value VARCHAR(128))"
    let status =
      "CREATE TABLE status (id INTEGER PRIMARY KEY, flags VARCHAR(50), mtime INTEGER, labels VARCHAR(256))"
    let rows: [[Value]] = [
      [
        .text("table"), .text("metadata"), .text("metadata"), .octet(UInt8(metadataRoot)),
        .text(metadata),
      ],
      [
        .text("index"), .text("sqlite_autoindex_metadata_1"), .text("metadata"),
        .octet(UInt8(indexRoot)), .null,
      ],
      [
        .text("table"), .text("status"), .text("status"), .octet(UInt8(statusRoot)), .text(status),
      ],
    ]
    return rows.enumerated().map { number, row in
      let record = record(row)
      return varint(UInt64(record.count)) + [UInt8(number + 1)] + record
    }
  }

  private static func header(pages: Int) -> [UInt8] {
    let change = 1
    let library = 3_040_001
    return Array("SQLite format 3\0".utf8) + number(pageSize, 2) + [1, 1, 0, 64, 32, 32]
      + number(change, 4) + number(pages, 4) + number(0, 8) + number(1, 4) + number(4, 4)
      + number(0, 8) + number(1, 4) + [UInt8](repeating: 0, count: 32)
      + number(change, 4) + number(library, 4)
  }

  // MARK: - Records

  private enum Value {
    case null
    case zero
    case one
    case octet(UInt8)
    case text(String)
    case letters([UInt8])
  }

  private static func cell(_ row: Row) -> [UInt8] {
    // The key stands beside the record.
    let record = record([.null, .letters(row.flags), .zero, .letters([])])
    return varint(UInt64(record.count)) + varint(UInt64(row.uid)) + record
  }

  private static func record(_ values: [Value]) -> [UInt8] {
    var types: [UInt8] = []
    var content: [UInt8] = []
    for value in values {
      switch value {
      case .null: types.append(0)
      case .zero: types.append(8)
      case .one: types.append(9)
      case .octet(let octet):
        types.append(1)
        content.append(octet)
      case .text(let text): add(Array(text.utf8), &types, &content)
      case .letters(let letters): add(letters, &types, &content)
      }
    }
    // The length of the head counts itself; no head here is longer than 126 octets.
    return [UInt8(types.count + 1)] + types + content
  }

  private static func add(_ text: [UInt8], _ types: inout [UInt8], _ content: inout [UInt8]) {
    types += varint(UInt64(13 + 2 * text.count))
    content += text
  }

  /// Seven bits an octet, the highest first, a bit before each that says whether another follows.
  private static func varint(_ number: UInt64) -> [UInt8] {
    var octets = [UInt8(number & 0x7F)]
    var rest = number >> 7
    while rest > 0 {
      octets.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return octets
  }

  /// A number of that many octets, the highest first.
  private static func number(_ number: Int, _ octets: Int) -> [UInt8] {
    (0..<octets).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
