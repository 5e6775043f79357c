internal import MailModel
internal import MailStore
internal import SyncPlan

/// Gives messages to another sink with the labels that were read before: the server tells flags alone beside a body.
final class LabelSink: MessageSink {
  private let sink: any MessageSink
  /// By UID.
  private var labels: [UInt32: MessageFlags] = [:]

  /// Takes the messages of an order.
  static func order(_ order: FetchOrder) -> FetchOrder {
    let sink = LabelSink(order.sink)
    sink.expect(order.messages)
    let more = order.more.map { more in
      {
        let messages = more()
        sink.expect(messages)
        return messages
      }
    }
    return FetchOrder(order.messages, in: order.mailbox, into: sink, more: more)
  }

  private init(_ sink: any MessageSink) {
    self.sink = sink
  }

  private func expect(_ messages: [RemoteMessage]) {
    for message in messages { labels[message.uid] = message.flags }
  }

  func deliver(_ message: RemoteMessage) throws(SyncFailure) {
    var message = message
    if let known = labels[message.uid] {
      message.flags = message.flags.union(known.intersection([.draft]))
    }
    try sink.deliver(message)
  }

  func begin() throws(SyncFailure) { try sink.begin() }
  func receiveOctets(_ octets: ArraySlice<UInt8>) throws(SyncFailure) {
    try sink.receiveOctets(octets)
  }
  func end() throws(SyncFailure) { try sink.end() }
  func discard() throws(SyncFailure) { try sink.discard() }
  func finishOrder() throws(SyncFailure) { try sink.finishOrder() }
  func fail(_ uid: UInt32, _ problem: MessageProblem) { sink.fail(uid, problem) }
  func noteBreak(over uid: UInt32) { sink.noteBreak(over: uid) }
}
