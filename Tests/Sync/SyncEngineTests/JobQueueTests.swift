import MailModel
import Mailboxes
import SyncPlan
import Testing

@testable import SyncEngine

@Suite("The queue of jobs")
struct JobQueueTests {
  private func job(_ name: String, _ id: UInt64) -> Job {
    let name = MailboxName(wire: Array(name.utf8))
    let choice = MailboxSelection.Choice(
      mailbox: ServerMailbox(name: name, delimiter: nil),
      role: nil,
      place: MailboxSelection.Place(id: id, directory: name.wire)
    )
    return Job(MirroredMailbox(choice, nil, nil))
  }

  @Test("one that breaks every connection does not keep the others waiting")
  func troublemaker() {
    let queue = JobQueue([job("bad", 1), job("good", 2), job("fine", 3)])
    var order: [UInt64] = []
    while case .job(let next) = queue.next(), order.count < 6 {
      order.append(next.id)
      if next.id == 1 { queue.giveBack(next) } else { queue.finish() }
    }
    #expect(order == [1, 1, 2, 3, 1, 1])
  }
}
