import Maildir
import Testing
import WatchPlan

@testable import Watch

@Suite("What the thread of a watched account is told")
struct InboxTests {
  @Test("of more than is kept, all news are still told")
  func manyFiles() {
    let inbox = Inbox()
    for news in [WatchNews.newLogin, .resumed, .newLogin] { inbox.put(.news(news)) }
    for number in 0..<25_000 {
      let name = Array("\(number)".utf8)
      inbox.put(.file(FileMark(folder: [], subdirectory: .cur, name: name, isThere: true)))
    }
    let items = inbox.takeItems()
    #expect(items.count <= 10_000)
    for news in [WatchNews.newLogin, .resumed, .localChange] {
      #expect(items.count { $0 == .news(news) } == 1)
    }
    #expect(
      items.last
        == .file(FileMark(folder: [], subdirectory: .cur, name: Array("24999".utf8), isThere: true))
    )
    #expect(inbox.takeItems() == [])
  }
}
