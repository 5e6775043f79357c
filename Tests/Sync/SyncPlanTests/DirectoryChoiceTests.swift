import MailModel
import SyncPlan
import Testing

@Suite("The Maildir of a new mailbox")
struct DirectoryChoiceTests {
  @Test(
    "spellings",
    arguments: [
      // Ours, whatever else is there.
      ("Lists/swift", "", "Lists/swift"), ("Lists/swift", "Lists/swift Lists.swift", "Lists/swift"),
      ("Entwürfe", "Other", "Entwürfe"), ("Entwürfe", "Entwürfe Entw&APw-rfe", "Entwürfe"),
      // mbsync's and offlineimap's.
      ("Entwürfe", "Entw&APw-rfe", "Entw&APw-rfe"),
      ("Lists/Entwürfe", "Lists/Entw&APw-rfe", "Lists/Entw&APw-rfe"),
      ("Lists/Entwürfe", "Lists.Entw&APw-rfe Lists/Entw&APw-rfe", "Lists/Entw&APw-rfe"),
      ("Lists/swift", "Lists.swift", "Lists.swift"),
      ("Lists/swift", "Lists/.swift", "Lists/.swift"),
      ("a/b/c", "a/.b/.c", "a/.b/.c"), ("Lists/swift", "INBOX/.Lists.swift", "INBOX/.Lists.swift"),
      ("INBOX/sub", "INBOX/..sub", "INBOX/..sub"), ("INBOX/sub", "INBOX.sub", "INBOX.sub"),
      ("INBOX", "Inbox", "Inbox"), ("INBOX", "INBOX Inbox", "INBOX"),
      // A mark, of a mailbox whose record is lost, counts more than the spelling.
      ("Entwürfe", "Entwürfe Entw&APw-rfe=7", "Entw&APw-rfe"),
      // What is another mailbox's.
      ("Lists/swift", "Lists.swift taken:Lists.swift", "Lists/swift"),
      // What is no way below the root, or in the way of Maildirs.
      ("../x", "../x", "%2E./x"), ("a/../b", "a/../b", "a/%2E./b"), ("a//b", "a//b", "a/%/b"),
      ("cur/x", "cur/x", "%63ur/x"), (".magnum/x", ".magnum/x", "%2Emagnum/x"),
    ]
  )
  func spellings(_ mailbox: String, _ there: String, _ wanted: String) {
    #expect(Self.chosen(.verbatim, mailbox, there) == wanted)
  }

  @Test(
    "in Maildir++",
    arguments: [
      ("INBOX", "", ""), ("Lists/swift", "", ".Lists.swift"),
      ("Entwürfe", ".Entw&APw-rfe", ".Entw&APw-rfe"),
      ("INBOX/sub", "..sub", "..sub"), ("INBOX/sub", ".INBOX.sub ..sub", ".INBOX.sub"),
    ]
  )
  func plusPlus(_ mailbox: String, _ there: String, _ wanted: String) {
    #expect(Self.chosen(.maildirPlusPlus, mailbox, there) == wanted)
  }

  /// `there` are directories with spaces between, `=` and the id of their mark, or `taken:` before them.
  private static func chosen(
    _ layout: FolderLayout,
    _ mailbox: String,
    _ there: String
  ) -> String? {
    var existing: [[UInt8]: UInt64] = [:]
    var taken: Set<[UInt8]> = []
    for word in there.split(separator: " ") {
      let parts = word.split(separator: "=")
      if word.hasPrefix("taken:") {
        taken.insert(Array(word.dropFirst(6).utf8))
      } else {
        existing[Array(parts[0].utf8)] = parts.count > 1 ? UInt64(parts[1]) ?? 0 : 0
      }
    }
    let naming = FolderNaming(layout: layout, rootLength: 15)
    guard let name = MailboxName(decoded: Array(mailbox.utf8)) else { return nil }
    let found = ServerMailbox(name: name, delimiter: UInt8(ascii: "/"))
    return DirectoryChoice(naming: naming, existing: existing)
      .directory(for: found, taken: taken).map { String(decoding: $0, as: UTF8.self) }
  }
}
