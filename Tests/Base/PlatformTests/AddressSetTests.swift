import Testing

@testable import Platform

@Suite struct AddressSetTests {
  /// What the system tells of an address: the type of the message, its flags, the interface, and attributes.
  private func message(
    _ type: UInt16,
    flags: UInt16 = 0,
    on interface: UInt32 = 2,
    _ attributes: [(type: UInt16, octets: [UInt8])]
  ) -> [UInt8] {
    var body: [UInt8] = [2, 24, 0, 0] + octets(interface)
    for (type, value) in attributes {
      body += octets(UInt16(value.count + 4)) + octets(type) + value
      body += [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
    }
    return octets(UInt32(16 + body.count)) + octets(type) + octets(flags)
      + [UInt8](repeating: 0, count: 8) + body
  }

  private func octets(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number) { Array($0) }
  }

  private let one: [UInt8] = [10, 0, 0, 1]
  private let two: [UInt8] = [10, 0, 0, 2]

  @Test func anAddressIsNewOnceUntilItGoes() {
    var set = AddressSet()
    let steps: [(octets: [UInt8], isNew: Bool)] = [
      (message(20, flags: 2, [(1, one)]), false), (message(20, [(1, one)]), false),
      (message(20, [(1, two)]), true), (message(20, [(1, two)]), false),
      (message(20, on: 3, [(1, two)]), true), (message(21, [(1, two)]), false),
      (message(20, [(1, two)]), true),
      // At both ends of a line: its own is the second.
      (message(20, [(1, two), (2, [10, 0, 0, 9])]), true),
      (message(20, [(3, [1, 2, 3, 4, 5]), (2, [10, 0, 0, 9]), (1, one)]), false),
      (message(20, [(1, one)]) + message(20, [(1, [10, 0, 0, 3])]), true),
      (message(16, [(1, [10, 0, 0, 4])]), false),
    ]
    for (number, (octets, isNew)) in steps.enumerated() {
      let found = set.applyMessages(octets[...])
      #expect(found == isNew, "step \(number)")
    }
  }

  @Test func whatIsCutOrDamagedSaysNothing() {
    let whole = message(20, [(1, one)])
    for count in 0..<whole.count {
      var set = AddressSet()
      let isNew = set.applyMessages(whole.prefix(count))
      #expect(!isNew, "\(count)")
    }
    var set = AddressSet()
    let damages: [[UInt8]] = [[0, 0, 0, 0] + whole, octets(UInt32(20)) + whole.dropFirst(4)]
    for damaged in damages {
      let isNew = set.applyMessages(damaged[...])
      #expect(!isNew)
    }
  }

  /// The machine's own addresses are none that came.
  @Test func theAddressesThatThereAreAreNotNew() {
    let watch = AddressWatch()
    #expect(!watch.hasChanged())
    #expect(!watch.hasChanged())
  }
}
