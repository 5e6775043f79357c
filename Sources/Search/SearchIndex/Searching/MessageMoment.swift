internal import Threads

/// What messages are put in order by, in every index alike: their dates, and of the same second their ids.
struct MessageMoment: Hashable, Comparable {
  let date: Int64
  let key: LinkKey

  static func < (left: MessageMoment, right: MessageMoment) -> Bool {
    (left.date, left.key) < (right.date, right.key)
  }
}

extension MessageMoment {
  init(_ message: FoundMessage) {
    self.init(date: message.date, key: message.member.id)
  }
}
