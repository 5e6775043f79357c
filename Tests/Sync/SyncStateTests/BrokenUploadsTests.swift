import MailModel
import Platform
import TestSupport
import Testing

@testable import SyncState

/// What is recorded of uploads over which connections broke.
@Suite struct BrokenUploadsTests {
  private static let sample: BrokenUploads = {
    var uploads = BrokenUploads()
    let inbox = UploadedFile(directory: [], name: Array("1.a b".utf8))
    uploads.files[inbox] = BrokenUploads.Attempts(size: 7)
    uploads.files[inbox]?.giveUp(at: 1000)
    let list = UploadedFile(directory: Array("Lists/x".utf8), name: Array("2".utf8))
    uploads.files[list] = BrokenUploads.Attempts(size: 12)
    return uploads
  }()

  @Test func theFileSaysIt() {
    let text = String(decoding: Self.sample.encoded, as: UTF8.self)
    #expect(
      text.hasPrefix(
        "magnum-broken-uploads 1\nfile 12 2 Lists/x 0 0\nfile 7 1.a%20b % 1 8200\nend "
      )
    )
    #expect(BrokenUploads.decode(Self.sample.encoded) == Self.sample)
  }

  /// As versions wrote it that tried each file in every run.
  @Test func aFileWithoutAttemptsIsRead() {
    let text = Array("magnum-broken-uploads 1\nfile 12 2 Lists/x\n".utf8)
    let read = BrokenUploads.decode(TextFile.seal(text))
    #expect(read?.files.values.map(\.size) == [12])
    #expect(read?.files.values.allSatisfy { $0.isDue(at: 0) } == true)
  }

  /// Once a run gave it up it is tried a few times a day, whatever a clock said in between.
  @Test func aFileRestsLongerEachTime() {
    var attempts = BrokenUploads.Attempts(size: 1)
    var now: Int64 = 1_000_000
    var waits: [Int64] = []
    for _ in 0..<5 {
      attempts.giveUp(at: now)
      let wait = (0...).first { attempts.isDue(at: now + $0 * 3600) } ?? 0
      waits.append(wait)
      now += wait * 3600
    }
    #expect(waits == [2, 4, 8, 12, 12])
    #expect(attempts.isDue(at: now - 86_400))
  }

  /// Each change of one octet, and each file that is cut.
  @Test func aDamagedFileCountsAsAbsent() {
    let whole = Self.sample.encoded
    for place in whole.indices {
      var damaged = whole
      damaged[place] ^= 1
      #expect(BrokenUploads.decode(damaged) == nil, "\(place)")
      #expect(BrokenUploads.decode(Array(whole[..<place])) == nil, "\(place)")
    }
  }

  @Test func noneIsNoFile() throws {
    let folder = try TempDirectory()
    let store = StateStore(root: Path(folder.path), layout: .verbatim)
    try FileSystem.makeDirectories(store.directory)
    try BrokenUploads().save(store)
    try Self.sample.save(store)
    #expect(BrokenUploads(store) == Self.sample)
    try BrokenUploads().save(store)
    #expect(BrokenUploads(store) == BrokenUploads())
    #expect(!Files.exists("\(folder.path)/.magnum/broken-uploads"))
  }
}
