import Testing

@testable import IMAPStore

@Suite struct FetchRateTests {
  /// Octets a second, and what is made of it.
  @Test(arguments: [
    (100_000, true), (2_500_000, true), (4_900_000, true), (5_100_000, false),
    (1_000_000_000, false),
  ])
  func steady(pace: Int, isSlow: Bool) {
    #expect(Self.verdict([(2 << 20, pace)]) == isSlow)
  }

  /// What the first 256 KiB took does not count, nor what came behind the measure.
  @Test func onlyTheMeasureCounts() {
    #expect(Self.verdict([(256 << 10, 1000), (1 << 20, 50_000_000)]) == false)
    #expect(Self.verdict([(768 << 10, 50_000_000), (1 << 20, 1000)]) == false)
    #expect(Self.verdict([(256 << 10, 50_000_000), (512 << 10, 1_000_000)]) == true)
  }

  @Test func tooLittleSaysNothing() {
    #expect(Self.verdict([(700 << 10, 1000)]) == nil)
    #expect(Self.verdict([]) == nil)
  }

  /// What is made of octets that came in pieces of 8 KiB, each stretch at its pace in octets a second.
  private static func verdict(_ stretches: [(octets: Int, pace: Int)]) -> Bool? {
    var rate = FetchRate()
    var now: Int64 = 1
    for (octets, pace) in stretches {
      for _ in 0..<(octets >> 13) {
        now += Int64(8192) * 1_000_000_000 / Int64(pace)
        rate.recordOctets(8192, at: now)
      }
    }
    return rate.isSlow
  }
}
