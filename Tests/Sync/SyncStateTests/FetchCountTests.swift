import Platform
import SyncPlan
import TestSupport
import Testing

@testable import SyncState

/// What is remembered of a day in which something was fetched.
@Suite struct FetchCountTests {
  private static let sample = FetchCount(
    DailyLimit.Count(day: 20_780, octets: 1_234_567),
    leftMessages: 3,
    leftOctets: 99
  )

  @Test func theFileSaysIt() throws {
    let text = String(decoding: Self.sample.encoded, as: UTF8.self)
    #expect(text.hasPrefix("magnum-fetched 1\nday 20780 1234567\nleft 3 99\nend "))
    #expect(FetchCount.decode(Self.sample.encoded) == Self.sample)
  }

  /// Each change of one octet, and each file that is cut.
  @Test func aDamagedFileCountsAsAbsent() {
    let whole = Self.sample.encoded
    for place in whole.indices {
      var damaged = whole
      damaged[place] ^= 1
      #expect(FetchCount.decode(damaged) == nil, "\(place)")
      #expect(FetchCount.decode(Array(whole[..<place])) == nil, "\(place)")
    }
  }

  /// Two programs that fetch at the same time count together, and what is left is kept beside it.
  @Test func twoMetersCountTogether() throws {
    let folder = try TempDirectory()
    let memory = Path(folder.path)
    let meters = (0..<2).map { _ in
      FetchMeter(memory: memory, limit: 1000) { 20_780 * 86_400 }
    }
    meters[0].addOctets(300)
    try meters[0].save()
    try meters[0].noteLeft(messages: 7, octets: 70)
    meters[1].addOctets(600)
    #expect(meters[1].ask(1))
    try meters[1].save()
    #expect(meters[1].octets == 900)
    #expect(!meters[1].isReached)
    meters[0].addOctets(100)
    try meters[0].save()
    #expect(meters[0].isReached)
    let count = FetchCount(memory)
    #expect(count?.fetched == DailyLimit.Count(day: 20_780, octets: 1000))
    #expect(count?.leftMessages == 7 && count?.leftOctets == 70)
    #expect(!FetchMeter(memory: memory, limit: 1000) { 20_780 * 86_400 }.ask(1))
    #expect(FetchMeter(memory: memory, limit: 1000) { 20_781 * 86_400 }.ask(1))
  }
}
