internal import MailModel

/// What an expression says about a moment: some fields as they are, some as how much to go back.
///
/// How exact the expression is decides what it covers: finer fields than the finest one it names are open.
struct DateFields: Hashable {
  /// The fields from the finest to the coarsest.
  enum Field: Int, CaseIterable {
    case second, minute, hour, day, month, year
  }

  /// To which end of what is covered an expression is taken.
  enum Rounding {
    case down, up
  }

  /// Fields named as they are; months from 1.
  var absolute: [Field: Int] = [:]

  /// How much to go back; negative leads forward.
  var back: [Field: Int] = [:]

  /// Weeks to go back.
  var weeksBack: Int?

  /// The last such day before today: 0 for Sunday; where a day is named, only what that is called.
  var weekday: Int?

  /// A moment given as such.
  var moment: Int64?

  /// Seconds east of UTC; nil for the local clock.
  var zone: Int?

  /// Whether there is such a day, as far as it is named.
  var isDay: Bool {
    guard let day = absolute[.day], let month = absolute[.month] else { return true }
    let date = CivilDate(year: absolute[.year] ?? 2000, month: month, day: day)
    return CivilDate(days: date.days) == date
  }

  /// The first or the last second that the expression covers.
  func resolve(_ dates: DateContext, _ rounding: Rounding) -> Int64 {
    if let moment { return moment }
    let local = zone.map { dates.now + Int64($0) } ?? dates.local(dates.now)
    let today = CivilDate.floorDivide(Int(local), 86_400)
    var fields = self
    if let weekday, absolute[.day] == nil {
      let distance = CivilDate.floorModulo(CivilDate(days: today).weekday - weekday, 7)
      fields.back[.day, default: 0] += distance == 0 ? 7 : distance
    }
    fields.round(rounding, today)
    fields.fill(from: Int(local), today)
    let wanted = fields.localSeconds()
    return zone.map { wanted - Int64($0) } ?? dates.moment(local: wanted)
  }

  /// Sets what is finer than the finest field named, and steps over it when rounding up.
  private mutating func round(_ rounding: Rounding, _ today: Int) {
    for field in Field.allCases {
      if absolute[field] != nil || back[field] != nil {
        guard rounding == .up else { return }
        // The last second that is covered.
        if field != .second {
          back[field, default: 0] -= 1
          back[.second, default: 0] += 1
        }
        return
      }
      if field == .day, let weeks = weeksBack {
        // Weeks begin on Sunday, as they do for notmuch.
        let sinceSunday = CivilDate(days: today).weekday
        back[.day] = sinceSunday
        if rounding == .up {
          weeksBack = weeks - 1
          back[.second, default: 0] += 1
        }
        return
      }
      absolute[field] = field == .day || field == .month ? 1 : 0
    }
  }

  /// Takes from the present what is still open.
  private mutating func fill(from local: Int, _ today: Int) {
    let date = CivilDate(days: today)
    let clock = local - today * 86_400
    let present: [Field: Int] = [
      .second: clock % 60, .minute: clock / 60 % 60, .hour: clock / 3600,
      .day: date.day, .month: date.month, .year: date.year,
    ]
    absolute.merge(present) { named, _ in named }
  }

  private func localSeconds() -> Int64 {
    let value = { (field: Field) in absolute[field, default: 0] - back[field, default: 0] }
    let day =
      CivilDate(year: value(.year), month: value(.month), day: value(.day)).days
      - (weeksBack ?? 0) * 7
    return Int64(day) * 86_400 + Int64(value(.hour)) * 3600 + Int64(value(.minute)) * 60
      + Int64(value(.second))
  }
}
