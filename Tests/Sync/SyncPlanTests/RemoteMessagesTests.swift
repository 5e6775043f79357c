import MailModel
import SyncPlan
import TestSupport
import Testing

@Suite("Messages of the server in rows")
struct RemoteMessagesTests {
  @Test(
    "are what a dictionary is, in whatever order they come",
    arguments: 1...4 as ClosedRange<UInt64>
  )
  func model(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var messages = RemoteMessages()
    var model: [UInt32: RemoteMessage] = [:]
    let range: UInt32 = seed == 1 ? 30 : 8000
    for step in 0..<6000 {
      let uid = seed == 2 ? range - UInt32(step) : UInt32.random(in: 1...range, using: &random)
      let message = Self.message(uid, &random)
      messages.set(message)
      model[uid] = message
      #expect(messages.count == model.count)
      let other = UInt32.random(in: 0...range, using: &random)
      #expect(messages[uid: other] == model[other])
      #expect(messages.contains(uid: other) == (model[other] != nil))
      if step % 1000 == 999 { messages.mergeLate() }
    }
    messages.mergeLate()
    let sorted = model.values.sorted { $0.uid < $1.uid }
    #expect(Array(messages) == sorted)
    #expect(Array(messages.uids) == sorted.map(\.uid))
    #expect(messages == RemoteMessages(sorted.shuffled(using: &random)))
    #expect(MessageList(sorted.reversed()).elementsEqual(sorted.reversed()))
  }

  @Test("of two with one UID the last counts")
  func doubles() {
    let first = RemoteMessage(uid: 3, flags: MessageFlags(.seen), size: 1)
    let last = RemoteMessage(uid: 3, flags: MessageFlags(.draft))
    let other = RemoteMessage(uid: 5, flags: MessageFlags())
    #expect(Array(RemoteMessages([first, other, last])) == [last, other])
  }

  private static func message(_ uid: UInt32, _ random: inout SeededGenerator) -> RemoteMessage {
    let number = UInt64.random(in: 0...9, using: &random)
    let words = number < 7 ? [] : [Array("label\(number)".utf8), Array("other".utf8)]
    return RemoteMessage(
      uid: uid,
      flags: MessageFlags(number % 2 == 0 ? .seen : [.flagged, .draft], keywords: words),
      size: number == 1 ? nil : number,
      date: number == 2 ? nil : -Int64(number),
      key: number == 3 ? ContentKey(messageID: 7, header: number) : nil,
      identity: number < 5
        ? nil : ContentIdentity(messageID: number, bodyHigh: 1, bodyLow: 2, header: 3)
    )
  }
}
