internal import JSON
internal import Octets

/// A line of an archive: it greets, then it answers questions, each by any number of lines with items and one that ends them.
enum ArchiveLine {
  /// A part of the answer to the question of a number.
  case item(Int, JSONValue)
  /// The answer is complete.
  case end(Int)
  /// There is no answer, and why.
  case refusal(Int, String)

  /// The version of the protocol, in the greeting.
  static let version = 1

  /// The first line.
  static func greeting(_ program: String) -> JSONValue {
    .object([("magnum-archive", .integer(version)), ("program", .string(program))])
  }

  /// The version that a greeting tells.
  static func version(of greeting: JSONValue) throws(WireMistake) -> Int {
    try greeting.wire("magnum-archive").wireInteger()
  }

  var wire: JSONValue {
    switch self {
    case .item(let number, let item): .object([("to", .integer(number)), ("item", item)])
    case .end(let number): .object([("to", .integer(number)), ("end", .boolean(true))])
    case .refusal(let number, let words):
      .object([("to", .integer(number)), ("error", .string(words))])
    }
  }

  init(wire value: JSONValue) throws(WireMistake) {
    let number: Int = try value.wire("to").wireInteger()
    if let item = value.member("item") {
      self = .item(number, item)
    } else if let words = value.member("error") {
      self = .refusal(number, try words.wireText())
    } else {
      guard try value.wire("end").wireFlag() else { throw WireMistake("end") }
      self = .end(number)
    }
  }
}

/// Numbers of messages, many to an item: eight octets each, in base64.
enum IdentityList {
  /// How many stand in one item.
  private static let length = 10_000

  static func items(_ numbers: [UInt64]) -> [JSONValue] {
    stride(from: 0, to: numbers.count, by: length).map { start in
      let some = numbers[start..<min(start + length, numbers.count)]
      let octets = some.flatMap { number in
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - UInt64($0) * 8)) }
      }
      return .string(String(decoding: Base64.encode(octets), as: UTF8.self))
    }
  }

  static func numbers(_ item: JSONValue) throws(WireMistake) -> [UInt64] {
    guard let octets = Base64.decode(Array(try item.wireText().utf8)), octets.count % 8 == 0 else {
      throw WireMistake("numbers of messages")
    }
    return stride(from: 0, to: octets.count, by: 8).map { start in
      octets[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}
