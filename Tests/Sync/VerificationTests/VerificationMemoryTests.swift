import Configuration
import MailStore
import Platform
import SyncState
import TestSupport
import Testing
import Transport

@testable import Verification

@Suite struct VerificationMemoryTests {
  private let folder: TempDirectory
  private let account: Account
  private var home: Path { Path(folder["state"]) }
  private var directory: Path { AccountPlaces.memory(of: account, in: home) }

  init() throws {
    folder = try TempDirectory("verified")
    try folder.writeConfiguration()
    account = try Configuration.load(explicit: Path(folder["config.toml"])).accounts[0]
  }

  @Test func isFoundAgain() throws {
    #expect(VerificationMemory(of: account, in: home) == nil)
    let memory = VerificationMemory(date: 1_795_384_893, equal: 120, differences: 3)
    try memory.save(directory)
    #expect(VerificationMemory(of: account, in: home) == memory)
  }

  @Test(arguments: [
    "", "magnum-verified 2\n1 2 3\n", "magnum-verified 1\n1 2\n", "magnum-verified 1\n1 2 x\n",
    "magnum-verified 1\n", "magnum-verified 1\n1 2 3\n4 5 6\n",
  ])
  func damage(_ text: String) throws {
    try FileSystem.makeDirectories(directory)
    try Files.write(Array(text.utf8), to: directory.appending("verified").display)
    #expect(VerificationMemory(of: account, in: home) == nil)
  }

  /// Whatever else is left out, only differences and failures keep a mirror from being equal.
  @Test func whatIsEqual() {
    var report = VerificationReport()
    (report.detached, report.copies, report.partial, report.going) = (1, 1, 1, 1)
    (report.older, report.others, report.left) = (1, 1, 1)
    #expect(report.isEqual)
    var other = report
    other.differences = 1
    #expect(!other.isEqual)
    other = report
    other.failed = 1
    #expect(!other.isEqual)
    other = report
    other.failure = .transport(.closed)
    #expect(!other.isEqual)
  }
}
