internal import MailModel
internal import MIME
internal import Octets
internal import Terminal

/// What is to be done about a list, and what came of it: for people, and as JSON; see magnum-formats(5).
struct UnsubscribeLine {
  let account: String
  /// The id of the list, else the address of the sender.
  let list: [UInt8]
  let way: UnsubscribeWay
  /// The word that files and JSON have for the way.
  let word: String
  let doubts: [UnsubscribeOffer.Doubt]
  /// `planned`, or what came of it.
  var state = "planned"
  var entry: String?
  /// Why a message waits or failed.
  var why: [UInt8]?

  init(
    account: String,
    list: [UInt8],
    way: UnsubscribeWay,
    _ offer: UnsubscribeOffer
  ) {
    (self.account, self.list, self.way) = (account, list, way)
    (word, doubts) = (offer.way.word, offer.doubts)
    if !way.isDone { state = "open" }
  }

  /// For people, before it is done.
  var lines: [String] {
    let first = "list: \(Printable.text(list, limit: 300))  (\(account))"
    return [first] + way.lines
  }

  /// For people, once it is done.
  var outcome: String {
    let name = Printable.text(list, limit: 300)
    guard let entry else { return "unsubscribed from \(name)" }
    return "unsubscribing from \(name): \(state) \(entry)"
  }

  func status(isDryRun: Bool) -> ExitStatus {
    switch state {
    case "open": isDryRun ? .success : .partial
    case "failed", "cancelled": .partial
    default: .success
    }
  }

  var json: JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("state", state)
    line.add("account", account)
    line.add("list", octets: list)
    line.add("way", word)
    line.add("address", octets: way.address)
    if let from = way.from { line.add("from", octets: from) }
    line.add("doubts", doubts.map(\.rawValue))
    line.add("entry", ifPresent: entry)
    if let why { line.add("why", octets: why) }
    return line
  }
}

extension UnsubscribeOffer.Doubt {
  /// What people are told.
  var text: String {
    switch self {
    case .doubled: "the message has more than one field of a name; one of them may be forged"
    case .unsigned:
      "no signature that the receiving server found valid covers the address; it may be forged"
    case .disowned: "the domain of the sender says that it did not send this message"
    case .junk: "the message is in Junk; an answer confirms the address to its sender"
    }
  }
}
