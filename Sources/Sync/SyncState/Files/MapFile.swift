internal import Octets
package import Platform
internal import SyncPlan

/// The map of a mailbox as text: what it is about, then a line a record, then the checksum of it all.
///
/// `MapPieces` writes it and `MapReader` reads it, piece by piece: of a large mailbox it is larger than what is made of it.
enum MapFile {
  /// Version 5 has records of partial messages.
  static let title = TextFile.Title("magnum-map", version: 4, newest: 5)
  /// The lines of the header, below the title.
  static let headerLineCount = 9

  static func encode(_ header: MailboxHeader) -> [UInt8] {
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
    line("uid-next") { $0.known(header.uidNext) }
    line("modseq") { $0.known(header.modSequence) }
    line("generation") { $0.number(header.generation) }
    line("window") { $0.name(header.window) }
    line("server-id") { $0.name(header.serverID) }
    return lines.flatMap { $0.octets + [ASCII.lineFeed] }
  }

  /// The header that these lines are.
  static func header(_ lines: [[UInt8]]) throws(StateError) -> MailboxHeader {
    var lines = lines[...]
    var number = 1
    func value<Value>(
      _ key: StaticString,
      _ take: (inout LineReader) -> Value?
    ) throws(StateError) -> Value {
      number += 1
      var reader = LineReader((lines.popFirst() ?? [])[...])
      guard let word = reader.word(), key.withUTF8Buffer({ word.elementsEqual($0) }),
        let value = take(&reader), reader.isAtEnd
      else { throw StateError(line: number, problem: .badRecord) }
      return value
    }
    return MailboxHeader(
      mailbox: try value("mailbox") { $0.name() },
      directory: try value("directory") { $0.name() },
      id: try value("id") { $0.identifier() },
      validity: try value("validity") { $0.number(UInt32.self) },
      uidNext: try value("uid-next") { $0.known(UInt32.self) }.value,
      modSequence: try value("modseq") { $0.known(UInt64.self) }.value,
      generation: try value("generation") { $0.number(UInt64.self) },
      window: try value("window") { $0.name() },
      serverID: try value("server-id") { $0.name() }
    )
  }
}

/// The fingerprints of a Maildir's two directories.
package struct MaildirFingerprints: Hashable {
  package var new: FileFingerprint
  package var cur: FileFingerprint

  package init(new: FileFingerprint, cur: FileFingerprint) {
    self.new = new
    self.cur = cur
  }

  /// The fingerprints as they are now; nil when a directory cannot be looked at.
  package init?(of maildir: Path) {
    guard let new = (try? FileSystem.status(maildir.appending("new")))?.fingerprint,
      let cur = (try? FileSystem.status(maildir.appending("cur")))?.fingerprint
    else { return nil }
    self.init(new: new, cur: cur)
  }

  /// When a name changed last, in nanoseconds since 1970.
  package var changed: Int64 { max(new.changed, cur.changed) }

  /// Whether a name changed at that moment or later, in nanoseconds since 1970.
  package func areChanged(since moment: Int64) -> Bool {
    changed >= moment
  }

  /// Whether a change from now on is sure to show in them.
  package var areReliable: Bool {
    let now = Clock.nowNanoseconds()
    return new.isReliable(now: now) && cur.isReliable(now: now)
  }
}
