import IMAP
import MailModel
import Testing

@testable import SyncEngine

@Suite("The queue of jobs")
struct JobQueueTests {
  private func job(_ name: String, _ id: UInt64) -> Job {
    let name = MailboxName(wire: Array(name.utf8))
    let path = MailboxPath(name, delimiter: nil)
    let mailbox = MirroredMailbox(
      name: name,
      path: path,
      role: nil,
      directory: path.joined,
      id: id,
      status: nil,
      entry: nil
    )
    return Job(mailboxes: [mailbox])
  }

  @Test("one that breaks every connection does not keep the others waiting")
  func troublemaker() {
    let queue = JobQueue([job("bad", 1), job("good", 2), job("fine", 3)])
    var order: [UInt64] = []
    while let next = queue.next(), order.count < 6 {
      order.append(next.id)
      if next.id == 1 { queue.giveBack(next) } else { queue.finish() }
    }
    #expect(order == [1, 1, 2, 3, 1, 1])
  }
}
