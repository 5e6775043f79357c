import MailModel
import TestSupport
import Testing

@testable import AccountExport

/// Names and texts as mbsync and offlineimap have them.
@Suite struct ExportTextTests {
  /// Expects what stands behind "=>" of what stands before it, in each line.
  private func check(_ fixture: Fixture, _ text: (String) throws -> String) throws {
    let lines = fixture.lines()
    try #require(!lines.isEmpty)
    for line in lines {
      let halves = line.ranges(of: " => ").first.map {
        (String(line[..<$0.lowerBound]), String(line[$0.upperBound...]))
      }
      let (given, expected) = try #require(halves, "\(line)")
      #expect(try text(given) == expected, "\(line)")
    }
  }

  private static func text(_ octets: [UInt8]) -> String { String(decoding: octets, as: UTF8.self) }

  private static func list(_ text: String) -> [String] {
    text.split(separator: "|").map { "\($0)" }
  }

  @Test(arguments: try Fixtures.load("Fixtures/texts.txt"))
  func texts(_ fixture: Fixture) throws {
    try check(fixture) { given in
      switch fixture.name {
      case "literal": PythonText.literal(given)
      case "expression": PythonText.expression(Self.list(given))
      case "value": PythonText.value(given)
      case "list": PythonText.list(Self.list(given))
      case "file name": Self.text(OfflineIMAPFolders.fileName(Array(given.utf8)))
      case "base": Self.text(MbsyncStateText.base(Array(given.utf8), uid: 7))
      default: throw HarnessError("no such text: \(fixture.name)")
      }
    }
  }

  @Test(arguments: try Fixtures.load("Fixtures/folder-styles.txt"))
  func folderStyles(_ fixture: Fixture) throws {
    let style = try #require(MbsyncFolderStyle.allCases.first { "\($0)" == fixture.name })
    try check(fixture) { given in
      // The folder of the root has no name, for which a dot stands.
      let directory = given == "." ? [] : Array(given.utf8)
      return style.name(of: directory).map(Self.text) ?? "-"
    }
  }

  @Test(arguments: try Fixtures.load("Fixtures/server-names.txt"))
  func serverNames(_ fixture: Fixture) throws {
    let names = ServerNames(
      delimiter: UInt8(ascii: "."),
      prefix: [Array("INBOX".utf8)],
      keepsPrefix: fixture.name == "the prefix is kept"
    )
    try check(fixture) { given in
      let words = given.split(separator: " ").map { "\($0)" }
      let octets = Array(words[1].utf8)
      switch words[0] {
      case "decoded": return Self.text(names.decoded(octets))
      case "levels":
        return names.levelsBelowPrefix(octets)?.map(Self.text).joined(separator: " ") ?? "-"
      case "forms":
        return names.forms(of: MailboxPattern(words[1])).map(Self.text).joined(separator: " ")
      default: throw HarnessError("no such question: \(given)")
      }
    }
  }

  @Test func theStateOfMbsync() {
    let state = MbsyncStateText(
      farValidity: 17,
      nearValidity: 23,
      highestFar: 9,
      pairs: [
        MbsyncStateText.Pair(far: 5, near: 2, flags: Array("FS".utf8)),
        MbsyncStateText.Pair(far: 9, near: 1, flags: []),
      ]
    )
    let head = "FarUidValidity 17\nNearUidValidity 23\nMaxPulledUid 9\nMaxPushedUid 2\n\n"
    #expect(Self.text(state.octets) == head + "5 2 FS\n9 1 \n")
    #expect(Self.text(state.validity) == "23\n2\n")
    let none = MbsyncStateText(farValidity: 17, nearValidity: 23, highestFar: 0, pairs: [])
    #expect(Self.text(none.validity) == "23\n0\n")
  }
}
