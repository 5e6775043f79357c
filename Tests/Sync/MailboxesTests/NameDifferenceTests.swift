import MailModel
import Maildir
import Platform
import SyncPlan
import SyncState
import TestSupport
import Testing

@testable import Mailboxes

@Suite("Names here and names on record")
struct NameDifferenceTests {
  private let folder: TempDirectory
  private let maildir: Path

  init() throws {
    folder = try TempDirectory()
    maildir = Path(folder["box"])
    try FolderTree(root: Path(folder.path), layout: .verbatim).create(Array("box".utf8))
  }

  @Test(
    "are compared one by one, also where two messages had one name",
    arguments: 1...6 as ClosedRange<UInt64>
  )
  func difference(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (state, local) = try world(60, &random, sharesNames: seed > 3)
    let difference = NameDifference(local.files, state)
    let fileless = state.messages.filter { local.files[$0.name] == nil }
    let unmatched = local.files.indices.filter { state.uid(of: local.files[$0].name.base) == nil }
    #expect(difference.fileless == fileless.map(\.uid))
    #expect(difference.unmatched == unmatched)
    #expect(!fileless.isEmpty && !unmatched.isEmpty)
    #expect(state.messages.sharesNames == (seed > 3))
  }

  @Test("what a plan sees is what differs or is mentioned, and the rest is counted")
  func scope() throws {
    var random = SeededGenerator(seed: 9)
    let (state, local) = try world(80, &random, sharesNames: false)
    let mentioned: Set<UInt32> = [3, 4, 5]
    let difference = NameDifference(local.files, state)
    let scope = PlanScope(state, local.files, difference, UnchangedMessages(but: mentioned))
    let leftOut = state.messages.filter { record in
      guard let file = local.files[record.name], !mentioned.contains(record.uid) else {
        return false
      }
      return file.name.flags == record.flags.system && !file.name.flags.contains(.deleted)
    }
    let names = Set(leftOut.map(\.name))
    #expect(scope.unchanged == leftOut.count)
    #expect(scope.records == state.messages.filter { !names.contains($0.name) })
    #expect(
      scope.files == local.files.indices.filter { !names.contains(local.files[$0].name.base) }
    )
    #expect(scope.unchanged > 30)
    let whole = PlanScope(whole: state, local.files)
    #expect(whole.records == state.sortedMessages)
    #expect(whole.files.count == local.files.count)
    #expect(whole.unchanged == 0)
  }

  /// Records of so many messages, and files that are nearly the same.
  private func world(
    _ count: UInt32,
    _ random: inout SeededGenerator,
    sharesNames: Bool
  ) throws -> (MailboxState, LocalMailbox) {
    var state = MailboxState(
      MailboxHeader(mailbox: [], directory: [], id: 0x0123_4567_89ab_cdef, validity: 17)
    )
    for uid in 1...count {
      let flags: SystemFlags = [[], .seen, .deleted].randomElement(using: &random) ?? []
      if !chance(10, &random) {
        let name = Array("name\(uid)".utf8)
        state.apply(
          .message(
            BaseRecord(uid: uid, name: name, flags: MessageFlags(flags), completeness: .whole)
          )
        )
      }
      guard !chance(10, &random) else { continue }
      let shown = chance(10, &random) ? SystemFlags.flagged : flags
      let letters = String(decoding: shown.characters, as: UTF8.self)
      try folder.write(
        "x",
        to: "box/\(chance(20, &random) ? "new" : "cur")/name\(uid):2,\(letters)"
      )
    }
    if sharesNames {
      for uid in UInt32(1)...8 {
        let name = Array("name\(uid)".utf8)
        state.apply(
          .message(
            BaseRecord(uid: 1000 + uid, name: name, flags: MessageFlags(), completeness: .whole)
          )
        )
        if uid % 2 == 0 { state.apply(.gone(uid: 1000 + uid)) }
      }
    }
    return (state, try LocalMailbox(maildir, beside: state))
  }

  private func chance(_ percent: Int, _ random: inout SeededGenerator) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }
}
