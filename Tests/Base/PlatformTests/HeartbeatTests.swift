import Testing

@testable import Platform

@Suite struct HeartbeatTests {
  /// Waits until a sign given now differs from one given before.
  private func pass() {
    let start = Clock.bootNanoseconds()
    while Clock.bootNanoseconds() - start < 1_000_000 {}
  }

  @Test func whatIsReadIsASign() throws {
    let sign = Heartbeat()
    let before = sign.last
    pass()
    let octets = sign.watching { try? FileSystem.readFile(Path("/proc/self/stat"), limit: 10_000) }
    #expect(octets != nil && sign.last > before)
  }

  @Test func signsAreThoseOfTheThreadAndOfWhatItStarts() throws {
    let (outer, inner) = (Heartbeat(), Heartbeat())
    let start = outer.last
    pass()
    Heartbeat.give()
    #expect(outer.last == start && Heartbeat.current == nil)
    let thread = outer.watching {
      #expect(Heartbeat.current === outer)
      return try? Thread.spawn(name: "sign") { Heartbeat.give() }
    }
    try #require(thread).join()
    let after = outer.last
    #expect(after > start)
    pass()
    outer.watching {
      inner.watching { Heartbeat.give() }
      #expect(outer.last == after && inner.last > after)
      #expect(Heartbeat.current === outer)
    }
    #expect(Heartbeat.current == nil)
  }
}
