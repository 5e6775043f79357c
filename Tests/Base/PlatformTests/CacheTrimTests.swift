import Platform
import Testing

/// Which files of a cache go.
@Suite struct CacheTrimTests {
  /// Files by name, size and time of use, and which go for a limit, until no more than the rest is taken.
  @Test(arguments: [
    (105, 78, []), (104, 78, [4, 2]), (104, 104, [4]), (40, 30, [4, 2, 3, 1]), (40, 40, [4, 2, 3]),
    (39, 39, [4, 2, 3, 1]), (0, 0, [4, 2, 3, 1]),
  ])
  func whatWasUsedLongestAgoGoes(_ limit: Int, _ rest: Int, _ names: [UInt8]) {
    let entries = [(1, 40, 5), (2, 30, 3), (3, 20, 4), (4, 15, 1)].map { name, size, time in
      CacheTrim.Entry(name: [name], size: size, time: time)
    }
    #expect(CacheTrim.leaving(entries, limit: limit, rest: rest) == names.map { [$0] })
    #expect(CacheTrim.leaving([], limit: limit, rest: rest) == [])
  }
}
