internal import Octets

/// What of an event another version of it says otherwise.
package struct EventChange: Hashable, Sendable {
  /// As in `time`.
  package let name: [UInt8]
  package let old: [UInt8]
  package let new: [UInt8]

  /// All that differs, in the order in which it is shown.
  package static func all(
    from old: Invitation,
    to new: Invitation,
    local: (Int64) -> Int
  ) -> [EventChange] {
    let times = [old, new].map { EventTimes($0.event, $0.zones, local: local)?.when ?? [] }
    let pairs: [(StaticString, [UInt8], [UInt8])] = [
      ("summary", old.event.summary, new.event.summary),
      ("time", times[0], times[1]),
      ("repetition", old.event.recurrence ?? [], new.event.recurrence ?? []),
      ("place", old.event.location, new.event.location),
      ("status", old.event.status ?? [], new.event.status ?? []),
    ]
    return pairs.filter { $0.1 != $0.2 }.map { name, old, new in
      EventChange(
        name: [UInt8](ascii: name),
        old: old.isEmpty ? [UInt8](ascii: "none") : old,
        new: new.isEmpty ? [UInt8](ascii: "none") : new
      )
    }
  }
}
