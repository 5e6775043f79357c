import Mbox
import Octets

/// Files of many messages.
extension FuzzTarget {
  /// Messages are the same however the octets come, and joined again they are the source.
  static func readMbox(_ octets: [UInt8]) {
    for kind in MboxKind.allCases {
      let whole = messages(of: [octets[...]], kind)
      precondition(messages(of: pieces([0] + octets), kind) == whole)
      if kind == .none { checkSource(octets, whole) }
    }
    for message in messages(of: [octets[...]], .auto) {
      precondition(ContainerFields(message.head, keepsFields: true).rest == message.head)
      _ = ArrivalDate.date(message.head, separator: nil, source: nil, now: 1_795_224_685)
    }
    checkWritten(octets)
  }

  private struct ReadMessage: Equatable {
    var offset: Int
    var head: [UInt8]
    var body: [UInt8] = []
  }

  private static func messages(of pieces: [ArraySlice<UInt8>], _ kind: MboxKind) -> [ReadMessage] {
    var reader = MboxReader(kind)
    var messages: [ReadMessage] = []
    for event in pieces.flatMap({ reader.read($0) }) + reader.finish() {
      switch event {
      case .head(let head): messages.append(ReadMessage(offset: head.offset, head: head.octets))
      case .body(let octets): messages[messages.count - 1].body += octets
      case .end: break
      }
    }
    return messages
  }

  /// Before each message stand lines `From `, quoted or not, behind it an empty line or nothing.
  private static func checkSource(_ octets: [UInt8], _ messages: [ReadMessage]) {
    let ends = messages.dropFirst().map(\.offset) + [octets.count]
    for (message, end) in zip(messages, ends) {
      let region = octets[message.offset..<end]
      let text = message.head + message.body
      let lines = ["", "\n", "\r\n"].compactMap { (empty: String) -> ArraySlice<UInt8>? in
        let tail = text + Array(empty.utf8)
        return region.suffix(tail.count).elementsEqual(tail) ? region.dropLast(tail.count) : nil
      }
      precondition(
        lines.contains { top in
          top.split(separator: 10).allSatisfy { line in
            line.drop { $0 == UInt8(ascii: ">") }.starts(with: "From ".utf8)
          }
        }
      )
    }
  }

  /// What is written as the body of a message is read as that.
  private static func checkWritten(_ octets: [UInt8]) {
    let body = octets.filter { $0 != 13 } + [10]
    let message = Array("Subject: a\n\n".utf8) + body
    var writer = MboxWriter()
    var mbox = MboxWriter.separator(sender: nil, date: 1_783_602_000)
    mbox += writer.write(message[...]) + writer.finish()
    let read = messages(of: [(mbox + mbox)[...]], .rd)
    precondition(read.map { $0.head + $0.body } == [message, message])
  }
}
