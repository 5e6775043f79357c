import Testing

@testable import Platform

@Suite struct LifeSignTests {
  /// Waits until a sign given now differs from one given before.
  private func pass() {
    let start = Clock.bootNanoseconds()
    while Clock.bootNanoseconds() - start < 1_000_000 {}
  }

  @Test func whatIsReadIsASign() throws {
    let sign = LifeSign()
    let before = sign.last
    pass()
    let octets = sign.watching { try? FileSystem.readFile(Path("/proc/self/stat"), limit: 10_000) }
    #expect(octets != nil && sign.last > before)
  }

  @Test func signsAreThoseOfTheThreadAndOfWhatItStarts() throws {
    let (outer, inner) = (LifeSign(), LifeSign())
    let start = outer.last
    pass()
    LifeSign.give()
    #expect(outer.last == start && LifeSign.current == nil)
    let thread = outer.watching {
      #expect(LifeSign.current === outer)
      return try? Thread.spawn(name: "sign") { LifeSign.give() }
    }
    try #require(thread).join()
    let after = outer.last
    #expect(after > start)
    pass()
    outer.watching {
      inner.watching { LifeSign.give() }
      #expect(outer.last == after && inner.last > after)
      #expect(LifeSign.current === outer)
    }
    #expect(LifeSign.current == nil)
  }
}
