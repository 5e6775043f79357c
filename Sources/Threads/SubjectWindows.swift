internal import MailModel

/// Messages of one subject cut into groups that belong together.
///
/// The oldest message opens a window of 30 days; what was written in it belongs to it; the next one after that opens
/// the next window. So the daily report of a machine does not become one thread of years.
enum SubjectWindows {
  /// The length of a window in seconds.
  static let length: Int64 = 30 * 86_400

  /// The groups of messages that are linked by their subjects alone, as places in the list.
  static func groups(_ members: [ThreadMember], _ threading: SubjectThreading) -> [[Int]] {
    guard threading != .off else { return [] }
    var bySubject: [LinkKey: [Int]] = [:]
    for (place, member) in members.enumerated() {
      if let subject = member.subject { bySubject[subject.key, default: []].append(place) }
    }
    return bySubject.values.filter { $0.count > 1 }.flatMap { windows($0, members, threading) }
  }

  private static func windows(
    _ places: [Int],
    _ members: [ThreadMember],
    _ threading: SubjectThreading
  ) -> [[Int]] {
    var result: [[Int]] = []
    var start: Int64 = 0
    for place in places.sorted(by: { members[$0].precedes(members[$1]) }) {
      let member = members[place]
      let mayJoin = threading == .all || member.subject?.isReply == true
      if mayJoin, !result.isEmpty,
        member.date.subtractingReportingOverflow(start).partialValue <= length
      {
        result[result.count - 1].append(place)
      } else {
        result.append([place])
        start = member.date
      }
    }
    return result
  }
}
