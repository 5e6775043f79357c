import MIME
import Octets
import Query
import SMTP
import Sendmail

/// Mail, and what people and programs hand in.
extension FuzzTarget {
  private static let identity = Identity(
    address: Array("me@x.test".utf8),
    fullName: nil,
    host: Array("host".utf8),
    date: MessageDate(seconds: 1_795_224_685, offset: 60),
    token: [84],
    rewriting: .local(hosts: [], own: []),
    namesRecipients: true
  )

  /// What is made ready can be sent, holds no hidden recipient, and has no line that is too long.
  static func readLetter(_ octets: [UInt8]) {
    var request = SendmailRequest()
    request.recipients = [Array("r@x.test".utf8)]
    let names = LocalNames(nil, mean: Array("me@x.test".utf8))
    guard let letter = try? Letter(octets),
      let prepared = try? letter.prepared(for: request, identity, AddressBook([], names))
    else { return }
    check(prepared.message)
    if let plain = try? Letter(prepared.message) {
      if let other = plain.withASCIIHeader({ _ in nil }) { check(other) }
      if let other = (try? plain.inSevenBits()) ?? nil { check(other) }
    }
  }

  private static func check(_ message: any OctetSource) {
    guard let facts = try? MessageScanner.scan(message),
      let octets = try? message.octets(in: 0..<message.count)
    else { preconditionFailure("what is made ready cannot be sent") }
    precondition(facts.overlongLines == 0)
    let fields = Message([UInt8](octets)).header.fields
    precondition(!fields.contains { $0.isNamed("Bcc") || $0.isNamed("Resent-Bcc") })
  }

  static func readAddresses(_ octets: [UInt8]) {
    try? AddressBook.checkRecipients(in: octets)
    _ = try? AddressBook([]).recipients(named: [octets])
    for mailbox in Address.list(octets[...], .native).flatMap(\.mailboxes) { _ = mailbox.address }
    if let address = try? EnvelopeAddress(octets) {
      precondition(!address.octets.contains { $0 < 0x20 || $0 == 0x7F })
    }
  }

  /// Words with a NUL between them.
  static func readArguments(_ octets: [UInt8]) {
    let words = octets.split(separator: 0, omittingEmptySubsequences: false).map { [UInt8]($0) }
    _ = try? SendmailCommandLine.parse(name: words.first ?? [], Array(words.dropFirst()))
  }

  /// Asks a message everything that can be asked of it.
  static func readMIME(_ octets: [UInt8]) {
    let decoder = CharsetDecoder { _, octets in Array(octets) }
    let message = Message(octets)
    precondition(message.octets == octets)
    for part in message.parts {
      // What a file of Outlook or a signature holds is in octets that are made of it.
      let isWithin = part.octets.startIndex >= 0 && part.octets.endIndex <= octets.count
      precondition(isWithin || message.parts.contains { $0.isTNEF || $0.isOpenedCMS })
      _ = (part.decodedSize, part.losses, part.secured, part.contentID)
      _ = (part.fileName(decoder), part.plainText(decoder))
      for field in part.header.fields {
        _ = field.text(decoder)
        _ = Address.list(field.body[...], decoder).flatMap(\.mailboxes).map(\.address)
        _ = (MessageID.list(field.body), MessageDate(field.body)?.octets)
      }
      for block in Uuencode.blocks(part.body) { _ = block.decode() }
    }
    _ = (message.bodies(), message.attachments, message.header.isInReplyToPlain)
  }

  /// What a report names can be compared and shown in a line.
  static func readReport(_ octets: [UInt8]) {
    guard let report = DeliveryReport(Message(octets), .native) else { return }
    precondition((1...1000).contains(report.recipients.count))
    for recipient in report.recipients {
      precondition(!recipient.addresses.isEmpty && recipient.words.count <= 500)
      precondition(recipient.addresses.allSatisfy { $0.contains(0x40) })
      precondition(!recipient.words.contains { $0 < 0x20 || $0 == 0x7F })
    }
  }

  /// Reads a query; a mistake has to point into it.
  static func readQuery(_ octets: [UInt8]) {
    do throws(QueryError) {
      _ = try QueryParser.parse(octets, DateContext(now: 1_795_267_845))
    } catch {
      precondition(error.place.lowerBound >= 0 && error.place.upperBound <= octets.count)
      _ = error.description
    }
    var scanner = WordScanner()
    _ = scanner.words(octets)
  }
}
