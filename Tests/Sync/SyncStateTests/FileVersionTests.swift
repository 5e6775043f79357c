import MessageContent
import Testing

/// Whether a file may be one that an archive or a copy made of another: of the same length, and of the same second without a
/// fraction.
struct FileVersionTests {
  private static let second: Int64 = 1_700_000_000_000_000_000

  @Test(
    arguments: [
      (12, second, true), (13, second, false), (12, second + 1_000_000_000, false),
      (12, second - 1_000_000_000, false), (12, second + 200_000_000, false), (0, 0, false),
    ] as [(Int64, Int64, Bool)]
  )
  func isCopy(size: Int64, modified: Int64, expected: Bool) {
    let before = FileVersion(size: 12, modified: Self.second + 123_456_789)
    #expect(FileVersion(size: size, modified: modified).isCopy(of: before) == expected)
    #expect(!before.isCopy(of: .other))
  }
}
