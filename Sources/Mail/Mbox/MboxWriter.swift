package import MailModel
internal import Octets

/// Writes messages as an mbox (mboxrd): each below a separator, with lines `>…From ` quoted, an empty line behind it.
///
/// The fields on top of a header tell the flags and tags of the message as other programs read them.
package struct MboxWriter: Sendable {
  private var lineEnds = LineEnds()
  private var isLineStart = true
  /// The beginning, behind signs `>`, of a line that may be one to be quoted.
  private var held: [UInt8] = []
  private var isHolding = false

  /// A writer of one message.
  package init() {}

  /// The line that begins a message, with its line end; the date is in seconds since 1970.
  ///
  /// A sender whose address no separator can have becomes `MAILER-DAEMON`.
  package static func separator(sender: [UInt8]?, date: Int64) -> [UInt8] {
    let isUsable = sender.map { octets in
      !octets.isEmpty && octets.count <= 1000
        && octets.allSatisfy { $0 > ASCII.space && $0 != ASCII.delete }
    }
    var text = [UInt8](ascii: MboxSeparator.start)
    text += isUsable == true ? sender ?? [] : [UInt8](ascii: "MAILER-DAEMON")
    return text + [ASCII.space] + asctime(date) + [ASCII.lineFeed]
  }

  /// The fields that tell flags and tags, with their line ends.
  package static func fields(_ flags: SystemFlags, tags: [[UInt8]]) -> [UInt8] {
    var text = [UInt8](ascii: flags.contains(.seen) ? "Status: RO\n" : "Status: O\n")
    var letters: [UInt8] = []
    if flags.contains(.answered) { letters.append(UInt8(ascii: "A")) }
    if flags.contains(.flagged) { letters.append(UInt8(ascii: "F")) }
    if flags.contains(.draft) { letters.append(UInt8(ascii: "T")) }
    if !letters.isEmpty { text += [UInt8](ascii: "X-Status: ") + letters + [ASCII.lineFeed] }
    let tags = tags + (flags.contains(.forwarded) ? [[UInt8](ascii: "$Forwarded")] : [])
    let words = tags.filter { tag in
      !tag.contains { ASCII.isControl($0) || $0 == ASCII.comma }
    }
    // A comma behind each one, so that a blank within one divides none.
    if !words.isEmpty {
      text += [UInt8](ascii: "X-Keywords:")
      for word in words { text += [ASCII.space] + word + [ASCII.comma] }
      text.append(ASCII.lineFeed)
    }
    return text
  }

  /// The next octets of the message as the mbox has them.
  package mutating func write(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    quoted(lineEnds.convert(octets))
  }

  /// The end of the message: the end of its last line, and an empty one.
  package mutating func finish() -> [UInt8] {
    var text = quoted(lineEnds.finish()) + held
    if isHolding || !isLineStart { text.append(ASCII.lineFeed) }
    return text + [ASCII.lineFeed]
  }

  private mutating func quoted(_ octets: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(octets.count + 64)
    var index = 0
    while index < octets.count {
      if isLineStart {
        (isLineStart, isHolding, held) = (false, true, [])
      }
      if isHolding {
        // The sign that is added may as well be the last: no line has too many.
        if held.isEmpty, octets[index] == ASCII.greaterThan {
          result.append(ASCII.greaterThan)
          index += 1
          continue
        }
        guard hold(octets[index]) else {
          // The octet is none of the line's beginning.
          result += held
          (isHolding, held) = (false, [])
          continue
        }
        index += 1
        if held.count == Self.start.count {
          result += [ASCII.greaterThan] + held
          (isHolding, held) = (false, [])
        }
        continue
      }
      let end = OctetScan.index(of: ASCII.lineFeed, in: octets, from: index, to: octets.count)
      let next = min(end + 1, octets.count)
      result += octets[index..<next]
      isLineStart = end < octets.count
      index = next
    }
    return result
  }

  private static let start = [UInt8](ascii: MboxSeparator.start)
  /// Takes an octet of `From `; false where it is none.
  private mutating func hold(_ octet: UInt8) -> Bool {
    guard octet == Self.start[held.count] else { return false }
    held.append(octet)
    return true
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
