internal import MailModel
internal import Platform

/// Numbers as people read them: short, in units that fit.
package enum HumanFormat {
  /// How long ago something was, in its largest unit: `5 min`, `3 h`.
  package static func age(_ seconds: Int64) -> String {
    switch max(0, seconds) {
    case let seconds where seconds < 60: "\(seconds) s"
    case let seconds where seconds < 3600: "\(seconds / 60) min"
    case let seconds where seconds < 172_800: "\(seconds / 3600) h"
    case let seconds: "\(seconds / 86_400) d"
    }
  }

  /// An amount of octets in powers of 1000: `0 B`, `999 B`, `1.2 kB`, `34 MB`.
  package static func bytes(_ count: UInt64) -> String {
    scaled(Double(count), units: ["B", "kB", "MB", "GB", "TB", "PB", "EB"])
  }

  /// A speed in octets a second: `1.2 MB/s`; `-` when it is none (negative, not finite).
  package static func rate(_ bytesPerSecond: Double) -> String {
    guard bytesPerSecond.isFinite, bytesPerSecond >= 0 else { return "-" }
    return bytes(UInt64(min(bytesPerSecond, 1e18).rounded())) + "/s"
  }

  /// A length of time: `0.4 s`, `12 s`, `3 min 05 s`, `2 h 10 min`, `3 d 4 h`.
  ///
  /// - Parameter seconds: negative or no number at all counts as 0.
  /// - Returns: the two greatest units that fit.
  package static func seconds(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds > 0 else { return "0.0 s" }
    let tenths = Int((min(seconds, 1e12) * 10).rounded())
    if tenths < 100 { return "\(tenths / 10).\(tenths % 10) s" }
    let whole = Int(min(seconds, 1e12).rounded())
    switch whole {
    case ..<60: return "\(whole) s"
    case ..<3600: return "\(whole / 60) min \(twoDigits(whole % 60)) s"
    case ..<86_400: return "\(whole / 3600) h \(twoDigits(whole % 3600 / 60)) min"
    default: return "\(whole / 86_400) d \(whole % 86_400 / 3600) h"
    }
  }

  /// A number with its digits in groups of three: `1,234,567`.
  package static func count(_ number: some BinaryInteger) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// The amount in the first unit in which it rounds to less than 1000; one decimal below 10.
  private static func scaled(_ amount: Double, units: [String]) -> String {
    var amount = amount
    var unit = 0
    while amount.rounded() >= 1000, unit < units.count - 1 {
      amount /= 1000
      unit += 1
    }
    let tenths = Int((amount * 10).rounded())
    guard unit > 0, tenths < 100 else { return "\(Int(amount.rounded())) \(units[unit])" }
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

/// A date as a list of mail shows it, the nearer the more exact; as notmuch does.
package struct RelativeDate: Sendable {
  private let now: Int64

  /// Dates as they are seen at a moment, in seconds since 1970.
  package init(now: Int64) {
    self.now = now
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// A moment, in seconds since 1970, in words: `5 mins. ago`, `Yest. 17:05`, `November 21`, `2009-11-18`.
  package func text(_ moment: Int64) -> String {
    let age = now - moment
    if age < 0 { return "the future" }
    if age < 3600 { return "\(age / 60) mins. ago" }
    let ((then, clock), (today, _)) = (local(moment), local(now))
    let time = "\(two(clock / 3600)):\(two(clock / 60 % 60))"
    if age < 7 * 86_400 {
      switch today.days - then.days {
      case 0: return "Today \(time)"
      case 1: return "Yest. \(time)"
      default: return "\(CivilDate.dayNames[then.weekday]). \(time)"
      }
    }
    guard age < 180 * 86_400 else { return then.text }
    return "\(Self.months[then.month - 1]) \(two(then.day))"
  }

  /// The day by the local clock, and the seconds since it began.
  private func local(_ moment: Int64) -> (date: CivilDate, clock: Int) {
    CivilDate.split(Int(moment) + LocalTime.offset(at: moment))
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
