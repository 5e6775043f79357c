import SearchIndex
import TestSupport
import Testing

/// Many files with one Message-ID and content: one message of the index.
@Suite(.serialized) struct CopiesTests {
  private func mailbox(_ count: Int) throws -> Mailbox {
    let mailbox = try Mailbox()
    for number in 0..<count {
      try mailbox.write("INBOX/cur/\(number):2,S", Array("Message-ID: <a@x>\n\ntext\n".utf8))
    }
    return mailbox
  }

  @Test func copiesThatMoveKeepTheirPlacesApart() throws {
    let mailbox = try mailbox(6)
    try mailbox.index.scan()
    for number in 0..<3 {
      try mailbox.rename("INBOX/cur/\(number):2,S", "Work/cur/\(number):2,S")
    }
    try mailbox.remove("INBOX/cur/3:2,S")
    let report = try mailbox.index.scan()
    #expect(report.renamed == 3 && report.removed == 1)
    #expect(try mailbox.count("folder:Work") == 1 && mailbox.count("folder:INBOX") == 1)
    for number in [4, 5] { try mailbox.remove("INBOX/cur/\(number):2,S") }
    try mailbox.index.scan()
    #expect(try mailbox.count("folder:INBOX") == 0 && mailbox.count("folder:Work") == 1)
  }

  /// The processor's time of adding that many copies, and of moving half of them.
  private func time(_ count: Int) throws -> [Duration] {
    let mailbox = try mailbox(count)
    let adding = try ProcessorTime.measure { try mailbox.index.scan() }
    for number in 0..<(count / 2) {
      try mailbox.rename("INBOX/cur/\(number):2,S", "Work/cur/\(number):2,S")
    }
    return [adding, try ProcessorTime.measure { try mailbox.index.scan() }]
  }

  @Test func aCopyCostsNoMoreWhereThereAreMany() throws {
    let (few, many) = (try time(1000), try time(4000))
    for (few, many) in zip(few, many) {
      #expect(many < max(few * 8, .milliseconds(200)), "\(few) became \(many)")
    }
  }
}
