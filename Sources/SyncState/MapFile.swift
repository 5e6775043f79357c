internal import Octets
internal import SyncPlan

/// The map of a mailbox as text: what it is about, then a line a record, then the checksum of it all.
enum MapFile {
  private static let title = TextFile.Title("magnum-map", version: 4)

  /// The whole file.
  static func encode(_ state: MailboxState, now: Int64) -> [UInt8] {
    var octets = title.octets
    octets.append(ASCII.lineFeed)
    octets.append(contentsOf: encode(state.header))
    for record in state.records(now: now) {
      octets.append(contentsOf: RecordCodec.encode(record))
      octets.append(ASCII.lineFeed)
    }
    return TextFile.seal(octets)
  }

  /// The state of a file.
  ///
  /// - Throws: `StateError` when the file is not whole or not a map.
  static func decode(_ octets: [UInt8]) throws(StateError) -> MailboxState {
    let body = try TextFile.open(octets, title: title)
    var lines = headerLines(body)
    var state = MailboxState(try header(&lines))
    let rest = lines.first ?? []
    state.reserve(rest.count / typicalLineLength)
    if let line = apply(rest, to: &state) {
      throw StateError(line: line + firstRecord, problem: .badRecord)
    }
    return state
  }

  /// The line of the first record.
  private static let firstRecord = 11

  /// Has the state take all lines; gives the number of the first that is no record, from 0, and nil where all are.
  private static func apply(_ lines: ArraySlice<UInt8>, to state: inout MailboxState) -> Int? {
    lines.withUnsafeBytes { octets in
      var number = 0
      var start = 0
      while start < octets.count {
        let end = OctetScan.index(of: ASCII.lineFeed, in: octets, from: start, to: octets.count)
        guard end < octets.count else { return number }
        let line = MessageLine(octets, start..<end)
        let isTaken = line.map { state.append($0, in: octets) } ?? false
        if !isTaken {
          guard let record = RecordCodec.decode([UInt8](octets[start..<end])[...]) else {
            return number
          }
          state.apply(record)
        }
        start = end + 1
        number += 1
      }
      return nil
    }
  }

  /// The header of a file whose records are not needed; trusts the checksum of the whole all the same.
  static func decodeHeader(_ octets: [UInt8]) throws(StateError) -> MailboxHeader {
    let body = try TextFile.open(octets, title: title)
    var lines = headerLines(body)
    return try header(&lines)
  }

  /// Octets of a line, to guess how many there are.
  private static let typicalLineLength = 160

  /// The nine lines of the header, and all records as one more.
  private static func headerLines(_ body: ArraySlice<UInt8>) -> ArraySlice<ArraySlice<UInt8>> {
    body.split(separator: ASCII.lineFeed, maxSplits: 9, omittingEmptySubsequences: false)[...]
  }

  private static func encode(_ header: MailboxHeader) -> [UInt8] {
    var lines: [LineWriter] = []
    func line(_ key: StaticString, _ write: (inout LineWriter) -> Void) {
      var writer = LineWriter()
      writer.word(key)
      write(&writer)
      lines.append(writer)
    }
    line("mailbox") { $0.name(header.mailbox) }
    line("directory") { $0.name(header.directory) }
    line("id") { $0.name(Hex.digits(header.id)) }
    line("validity") { $0.number(header.validity) }
    line("uid-next") { $0.number(header.uidNext) }
    line("modseq") { $0.number(header.modSequence) }
    line("generation") { $0.number(header.generation) }
    line("window") { $0.name(header.window) }
    line("server-id") { $0.name(header.serverID) }
    return lines.flatMap { $0.octets + [ASCII.lineFeed] }
  }

  private static func header(
    _ lines: inout ArraySlice<ArraySlice<UInt8>>
  ) throws(StateError) -> MailboxHeader {
    var number = 1
    func value<Value>(
      _ key: StaticString,
      _ take: (inout LineReader) -> Value?
    ) throws(StateError) -> Value {
      number += 1
      var reader = LineReader(lines.popFirst() ?? [])
      guard let word = reader.word(), key.withUTF8Buffer({ word.elementsEqual($0) }),
        let value = take(&reader), reader.isAtEnd
      else { throw StateError(line: number, problem: .badRecord) }
      return value
    }
    return MailboxHeader(
      mailbox: try value("mailbox") { $0.name() },
      directory: try value("directory") { $0.name() },
      id: try value("id") { $0.word().flatMap { Hex.value($0) } },
      validity: try value("validity") { $0.number(UInt32.self) },
      uidNext: try value("uid-next") { $0.number(UInt32.self) },
      modSequence: try value("modseq") { $0.number(UInt64.self) },
      generation: try value("generation") { $0.number(UInt64.self) },
      window: try value("window") { $0.name() },
      serverID: try value("server-id") { $0.name() }
    )
  }
}
