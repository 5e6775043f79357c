import TestSupport

/// The whole messages among the fixtures.
enum Mails {
  static func all() throws -> [Fixture] {
    try Fixtures.load("Fixtures/mails.txt") + Fixtures.load("Fixtures/broken-mails.txt")
  }

  /// The octets of a message, its lines ended with CR LF unless a part `line-end` says `LF`.
  static func octets(_ fixture: Fixture) throws -> [UInt8] {
    try fixture["line-end"] == "LF" ? fixture.octets("message") : fixture.wire("message")
  }

  static func octets(_ name: String) throws -> [UInt8] {
    try octets(Fixtures.block(name, of: "Fixtures/mails.txt"))
  }
}
