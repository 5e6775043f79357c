internal import AgentPlan
internal import JSON
internal import Octets

/// The member `mail` of a result: the one place where text that other people wrote stands.
struct MailMembers {
  /// Takes out what no reader sees; it counts for the whole member.
  private(set) var clean = CleanText()
  private var members: [(name: String, value: JSONValue)] = []
  /// How many addresses were left out.
  private var left = 0
  /// Addresses of one field at most.
  private let addressLimit: Int

  static let subjectLimit = 200
  private static let nameLimit = 100
  private static let addressLength = 254
  static let usualAddresses = 20

  init(addressLimit: Int = usualAddresses) {
    self.addressLimit = addressLimit
  }

  var value: JSONValue { .object(members + (left > 0 ? [("more", .number("\(left)"))] : [])) }

  /// A text in one line.
  mutating func line(_ octets: some Collection<UInt8>, limit: Int) -> JSONValue {
    Self.string(clean.line(octets, limit: limit))
  }

  mutating func add(_ name: String, _ octets: some Collection<UInt8>, limit: Int) {
    members.append((name, line(octets, limit: limit)))
  }

  mutating func add(_ name: String, _ values: [JSONValue]) {
    members.append((name, .array(values)))
  }

  /// Adds a text as it is, which was made clean before.
  mutating func add(_ name: String, clean text: [UInt8]) {
    members.append((name, Self.string(text)))
  }

  /// Adds people, each as `Name <address>`.
  mutating func add(_ name: String, _ people: [(name: [UInt8], address: [UInt8])]) {
    left += max(0, people.count - addressLimit)
    add(name, people.prefix(addressLimit).map { person(name: $0.name, address: $0.address) })
  }

  /// Adds short texts, such as tags and folders.
  mutating func add(_ name: String, words: [[UInt8]]) {
    add(name, words.prefix(50).map { line($0, limit: Self.nameLimit) })
  }

  private mutating func person(name: [UInt8], address: [UInt8]) -> JSONValue {
    let address = clean.line(address, limit: Self.addressLength)
    let name = clean.line(name, limit: Self.nameLimit)
    if name.isEmpty { return Self.string(address) }
    return Self.string(
      address.isEmpty ? name : name + [ASCII.space, ASCII.lessThan] + address + [ASCII.greaterThan]
    )
  }

  static func string(_ octets: [UInt8]) -> JSONValue {
    .string(String(decoding: octets, as: UTF8.self))
  }
}

/// An answer of a tool.
enum ToolAnswer {
  /// Octets of it at most, before JSON is put into JSON.
  static let limit = 64 << 10

  static let version: (name: String, value: JSONValue) = ("version", .number("1"))

  static func number(_ number: some BinaryInteger) -> JSONValue { .number("\(number)") }
}
