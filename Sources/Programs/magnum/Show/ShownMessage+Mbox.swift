internal import MIME
internal import MailModel
internal import Octets
internal import SearchIndex

extension ShownMessage {
  /// The message as mbox has it: a line with its sender and date, lines that look like that one quoted, an empty line.
  var mbox: [UInt8] {
    let sender = message.header.addresses("From", decoder).flatMap(\.mailboxes).first?.address
    let address = sender.flatMap { $0.contains { $0 <= ASCII.space } ? nil : $0 } ?? []
    let date = message.header.date?.seconds ?? found?.date ?? 0
    var text = [UInt8](ascii: "From ")
    text += address.isEmpty ? [UInt8](ascii: "MAILER-DAEMON") : address
    text += [ASCII.space] + Self.asctime(date) + [ASCII.lineFeed]
    for line in message.octets.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
      let bare = line.drop { $0 == ASCII.greaterThan }
      if bare.starts(with: [UInt8](ascii: "From ")) { text.append(ASCII.greaterThan) }
      text += line.last == ASCII.carriageReturn ? line.dropLast() : line
      text.append(ASCII.lineFeed)
    }
    // An empty line follows, whether or not the last one had an end.
    return message.octets.last == ASCII.lineFeed ? text : text + [ASCII.lineFeed]
  }

  /// A moment as asctime(3) writes it, in UTC: `Thu Jul  9 13:00:00 2026`.
  private static func asctime(_ seconds: Int64) -> [UInt8] {
    let (date, clock) = CivilDate.split(Int(seconds))
    let padded = { (number: Int, mark: String) in number < 10 ? "\(mark)\(number)" : "\(number)" }
    let time = [clock / 3600, clock / 60 % 60, clock % 60].map { padded($0, "0") }
    let day = "\(CivilDate.dayNames[date.weekday]) \(CivilDate.monthNames[date.month - 1])"
    let text = "\(day) \(padded(date.day, " ")) \(time.joined(separator: ":")) \(date.year)"
    return [UInt8](text.utf8)
  }
}
