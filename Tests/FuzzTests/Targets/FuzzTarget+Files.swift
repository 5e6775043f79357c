import AccountImport
import Octets
import SMTP
import SpoolPlan

/// Files of the spool, which others may have written, and configurations of other programs.
extension FuzzTarget {
  /// An entry that can be read says the same once it is written.
  static func readEntry(_ octets: [UInt8]) {
    _ = Entry.claimsMessage(octets)
    guard let (entry, length) = try? Entry.decode(octets) else { return }
    precondition(length <= octets.count)
    guard let (again, _) = try? Entry.decode(entry.header) else {
      preconditionFailure("what is written cannot be read")
    }
    precondition(again == entry)
  }

  /// Whatever a log says, what the server has taken is not sent again, and the next step comes to an end.
  static func readLog(_ octets: [UInt8]) {
    guard let records = try? LogRecord.parse(octets),
      let address = try? EnvelopeAddress(Array("a@x.test".utf8))
    else { return }
    precondition((try? LogRecord.parse(records.flatMap(\.line))) == records)
    let envelope = Envelope(from: nil, to: [Recipient](repeating: Recipient(address), count: 3))
    let sending = Sending(envelope, messageID: nil, copy: SentCopy())
    let progress = Progress(.send(sending), records)
    if case .send(let numbers) = progress.next(now: 1_795_267_845, .standard) {
      precondition(Set(numbers).isDisjoint(with: progress.served))
    }
  }

  static func readImport(_ octets: [UInt8]) {
    let imported = AccountImport([ForeignFile(name: "file", octets: octets)])
    _ = imported.text(directory: "/d")
  }
}
