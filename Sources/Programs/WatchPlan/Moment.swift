/// A moment by a clock that is never set, and that goes on while the machine is suspended.
package struct Moment: Hashable, Comparable, Sendable {
  /// Milliseconds since some moment in the past.
  package let milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// So many seconds later, or earlier where they are negative.
  package static func + (moment: Moment, seconds: Double) -> Moment {
    Moment(milliseconds: moment.milliseconds + Int64(seconds * 1000))
  }

  /// The seconds from another moment to this one.
  package static func - (moment: Moment, other: Moment) -> Double {
    Double(moment.milliseconds - other.milliseconds) / 1000
  }

  /// Whether it is earlier than another one.
  package static func < (moment: Moment, other: Moment) -> Bool {
    moment.milliseconds < other.milliseconds
  }
}
