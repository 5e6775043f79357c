import Platform
import SearchIndex
import Synchronization
import TestSupport
import Testing

/// A sync feeds the indexes of several accounts at once, each from a thread of its own.
@Suite struct IndexThreadTests {
  @Test func indexesThatAreUsedByThreadsOfTheirOwnDoNotDisturbEachOther() throws {
    let failures = Mutex<[String]>([])
    let mailboxes = try (0..<8).map { number in
      let mailbox = try Mailbox()
      try mailbox.write("INBOX/cur/1:2,", Array("Message-ID: <\(number)@x>\n\none".utf8))
      try mailbox.index.build()
      return mailbox
    }
    let threads = try mailboxes.map { mailbox in
      try Thread.spawn(name: "reader") {
        do {
          for _ in 0..<400 {
            let count = try mailbox.count("* or not subject:nothing")
            if count != 1 { failures.withLock { $0.append("\(count) found") } }
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(failures.withLock { $0 } == [])
  }
}
