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
    uploads.sizes[inbox] = 7
    uploads.sizes[UploadedFile(directory: Array("Lists/x".utf8), name: Array("2".utf8))] = 12
    return uploads
  }()

  @Test func theFileSaysIt() {
    let text = String(decoding: Self.sample.encoded, as: UTF8.self)
    #expect(text.hasPrefix("magnum-broken-uploads 1\nfile 12 2 Lists/x\nfile 7 1.a%20b %\nend "))
    #expect(BrokenUploads.decode(Self.sample.encoded) == Self.sample)
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
