internal import MailModel
internal import Octets

/// How far the clocks of a zone are ahead of UTC at each moment.
package enum CalendarZone: Sendable {
  /// As the system knows it.
  case system(ZoneFile)
  /// As the calendar describes it.
  case described(ZoneDescription)

  /// The seconds at a moment, in seconds since 1970.
  package func offset(at moment: Int) -> Int {
    switch self {
    case .system(let file): file.offset(at: moment)
    case .described(let description): description.offset(at: moment)
    }
  }

  /// The moment at which its clocks show a time.
  ///
  /// Of two moments, as when clocks are set back, the first one. A time that is left out, as when they are set on, counts by the
  /// clock before (RFC 5545 §3.3.5).
  package func moment(of reading: ClockReading) -> Int {
    let before = offset(at: reading.seconds - 86_400)
    let first = reading.seconds - before
    if offset(at: first) == before { return first }
    let after = offset(at: reading.seconds + 86_400)
    let second = reading.seconds - after
    return offset(at: second) == after ? second : first
  }
}

/// The zones that a calendar names.
package struct CalendarZones: Sendable {
  private let described: [[UInt8]: ZoneDescription]
  private let system: [[UInt8]: ZoneFile]

  /// The octets of a longer name are none of a zone.
  private static let nameLimit = 64

  /// The zones of a calendar.
  ///
  /// - Parameters:
  ///   - calendar: the VCALENDAR.
  ///   - names: the zones that its times name.
  ///   - file: gives the file of the system for a zone; nil where there is none. It is asked for nothing but letters, digits, and
  ///     `_`, `+`, `-` between slashes.
  package init(
    of calendar: CalendarComponent,
    _ names: some Sequence<[UInt8]>,
    file: ([UInt8]) -> [UInt8]?
  ) {
    var described: [[UInt8]: ZoneDescription] = [:]
    for component in calendar.within("VTIMEZONE") {
      guard let name = component.first("TZID")?.value, described[name] == nil,
        let zone = ZoneDescription(component)
      else { continue }
      described[name] = zone
    }
    self.described = described
    var system: [[UInt8]: ZoneFile] = [:]
    for name in Set(names) {
      let known = Self.candidates(name)
      let windows = described[name] == nil ? WindowsZones.name(of: name).map { [$0] } ?? [] : []
      for candidate in known + windows where system[name] == nil {
        system[name] = file(candidate).flatMap { ZoneFile($0) }
      }
    }
    self.system = system
  }

  /// The zone of a name; nil where it is not known.
  package subscript(_ name: [UInt8]) -> CalendarZone? {
    system[name].map { .system($0) } ?? described[name].map { .described($0) }
  }

  /// What the system may call a zone: its name, or the end of one that says whose it is (`/example.org/2026/Europe/Berlin`).
  static func candidates(_ name: [UInt8]) -> [[UInt8]] {
    let isGlobal = name.first == ASCII.slash
    let parts = name.split(separator: ASCII.slash).map { [UInt8]($0) }
    let isName = parts.allSatisfy { part in
      part.allSatisfy { octet in
        ASCII.isLetter(octet) || ASCII.isDigit(octet) || "_+-".utf8.contains(octet)
      }
    }
    guard !isGlobal else {
      return [3, 2].filter { $0 < parts.count }.flatMap { count in
        candidates([UInt8](parts.suffix(count).joined(separator: [ASCII.slash])))
      }
    }
    return isName && !parts.isEmpty && name.count <= nameLimit ? [name] : []
  }
}
