import Platform
import SearchIndex
import TestSupport
import Testing

/// The directory of an index, or a file in it, leads elsewhere: what lies there is no index, and stays.
struct LinkedPlaceTests {
  private let mailbox: Mailbox
  private let elsewhere: String

  init() throws {
    mailbox = try Mailbox()
    elsewhere = "\(mailbox.directory.path)/disk"
    try FileSystem.makeDirectories(Path("\(elsewhere)/photos"))
    try FileSystem.makeDirectories(Path("\(mailbox.root)/.magnum"))
    try mailbox.write("INBOX/cur/1:2,", Array("Message-ID: <1@x>\n\none".utf8))
    try write("a picture", "photos/1.jpg")
  }

  private func write(_ text: String, _ name: String) throws {
    try Descriptor.open(Path("\(elsewhere)/\(name)"), .truncate).write(all: Array(text.utf8))
  }

  private func text(_ name: String) -> String? { Files.text("\(elsewhere)/\(name)") }

  @Test func otherDirectoriesStay() throws {
    try Command.shell("ln -s \"$1\" \"$2\"", [elsewhere, "\(mailbox.root)/.magnum/index"])
    try mailbox.index.build()
    try mailbox.index.build()
    #expect(text("photos/1.jpg") == "a picture")
    #expect(try mailbox.ids("*").count == 1)
  }

  @Test func theLockIsNoLink() throws {
    try write("a letter", "letter")
    try FileSystem.makeDirectories(Path("\(mailbox.root)/.magnum/index"))
    try Command.shell(
      "ln -s \"$1\" \"$2\"",
      ["\(elsewhere)/letter", "\(mailbox.root)/.magnum/index/lock"]
    )
    #expect(throws: IndexError.self) { try mailbox.index.build() }
    #expect(text("letter") == "a letter")
  }

  /// A pipe in the place of a file is not waited on.
  @Test func aPipeIsNoFile() throws {
    try mailbox.index.build()
    try Command.shell("mkfifo \"$1\"", ["\(mailbox.root)/INBOX/.magnum-tags"])
    try mailbox.index.build()
    #expect(try mailbox.ids("*").count == 1)
  }
}
