import SearchIndex
import TestSupport
import Testing

/// Ids and folders that are not UTF-8: command lines and JSON have U+FFFD for what is wrong in them, and find them by that.
@Suite struct RepairedTextTests {
  private static let odd: [UInt8] = [0xE9, 0x28, 0xFF]

  @Test(arguments: [[], Array("a".utf8)], [[], Array("b".utf8)])
  func anIDIsFoundByWhatTextsHaveOfIt(_ before: [UInt8], _ behind: [UInt8]) throws {
    let mailbox = try Mailbox()
    let id = before + Self.odd + behind + Array("@x".utf8)
    let text = Array("Message-ID: <".utf8) + id + Array(">\n\ntext\n".utf8)
    try mailbox.write("INBOX/cur/1:2,S", text)
    try mailbox.write("INBOX/cur/2:2,S", Array("Message-ID: <ab@x>\n\ntext\n".utf8))
    _ = try mailbox.index.scan()
    let shown = String(decoding: id, as: UTF8.self)
    #expect(try mailbox.ids("id:\"\(shown)\"") == [shown])
    #expect(try mailbox.ids("id:\"\(shown)\u{FFFD}\"") == [])
    #expect(try mailbox.ids("id:ab@x") == ["ab@x"])
  }

  @Test func aFolderIsFoundByWhatTextsHaveOfIt() throws {
    let mailbox = try Mailbox()
    let script =
      "d=$1/$(printf 'odd\\351'); mkdir -p \"$d/cur\" \"$d/new\" \"$d/tmp\"; "
      + "printf 'Message-ID: <m@x>\\n\\ntext\\n' >\"$d/cur/1:2,S\""
    try Command.shell(script, [mailbox.root])
    _ = try mailbox.index.scan()
    for query in ["folder:odd\u{FFFD}", "path:odd\u{FFFD}/cur", "path:odd\u{FFFD}/**"] {
      #expect(try mailbox.ids(query) == ["m@x"], "\(query)")
    }
    #expect(try mailbox.ids("folder:odd") == [])
  }
}
