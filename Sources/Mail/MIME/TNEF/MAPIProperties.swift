internal import Octets

/// Properties of a message or an attachment as Outlook writes them (MS-OXTNEF §2.1.3.4).
struct MAPIProperties {
  /// The properties that are read.
  enum Name: Int {
    case body = 0x1000
    case compressedRTF = 0x1009
    case html = 0x1013
    case displayName = 0x3001
    case data = 0x3701
    case fileName = 0x3704
    case method = 0x3705
    case longFileName = 0x3707
    case mediaType = 0x370E
    case contentID = 0x3712
    case internetCodePage = 0x3FDE
  }

  /// A text in a charset.
  struct Text {
    let octets: [UInt8]
    /// A label of the charset; nil where it has to be told from elsewhere.
    let charset: String?
  }

  private enum Value {
    case number(Int)
    /// Octets, text of one octet a character among them.
    case octets(ArraySlice<UInt8>)
    case unicode(ArraySlice<UInt8>)
    case object(ArraySlice<UInt8>)
  }

  private var values: [Name: Value] = [:]

  /// Whether all of them could be read.
  private(set) var isWhole = true

  init() {}

  /// Reads what one attribute holds.
  init(_ octets: ArraySlice<UInt8>) {
    var reader = LittleEndianReader(octets)
    isWhole = read(&reader) != nil
  }

  private mutating func read(_ reader: inout LittleEndianReader) -> Void? {
    guard let count = reader.number(4) else { return nil }
    for _ in 0..<count {
      guard let type = reader.number(2), let id = reader.number(2) else { return nil }
      if id >= 0x8000 {
        guard Self.skipName(&reader) != nil else { return nil }
      }
      guard let value = Self.value(type, &reader) else { return nil }
      if let name = Name(rawValue: id), values[name] == nil { values[name] = value }
    }
    return ()
  }

  /// A property that has a name besides its number.
  private static func skipName(_ reader: inout LittleEndianReader) -> Void? {
    guard reader.takeOctets(16) != nil, let kind = reader.number(4), let count = reader.number(4)
    else {
      return nil
    }
    // A number stands where the length of a text would.
    guard kind == 1 else { return () }
    return reader.takePadded(count).map { _ in }
  }

  private static func value(_ type: Int, _ reader: inout LittleEndianReader) -> Value? {
    let isMultiple = type & 0x1000 != 0
    switch type & 0xFFF {
    case 0x0D, 0x1E, 0x1F, 0x102: return variable(type & 0xFFF, &reader)
    case let type:
      guard let size = size(of: type) else { return nil }
      var count = 1
      if isMultiple {
        guard let told = reader.number(4) else { return nil }
        count = told
      }
      var first: Value?
      for _ in 0..<count {
        guard let octets = reader.takeOctets(size) else { return nil }
        if first == nil {
          first = .number(octets.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) })
        }
        if size == 0 { break }
      }
      return first ?? .number(0)
    }
  }

  /// How many octets a value of fixed size takes; nil for a type that is not known.
  private static func size(of type: Int) -> Int? {
    switch type {
    case 0x00, 0x01: 0
    case 0x02, 0x03, 0x04, 0x0A, 0x0B: 4
    case 0x05, 0x06, 0x07, 0x14, 0x40: 8
    case 0x48: 16
    default: nil
    }
  }

  private static func variable(_ type: Int, _ reader: inout LittleEndianReader) -> Value? {
    guard let count = reader.number(4) else { return nil }
    var first: Value = .octets([])
    for number in 0..<count {
      guard let size = reader.number(4), let octets = reader.takePadded(size) else { return nil }
      guard number == 0 else { continue }
      first = type == 0x1F ? .unicode(octets) : type == 0x0D ? .object(octets) : .octets(octets)
    }
    return first
  }

  // MARK: Values

  /// A number; nil where there is none of that name.
  func number(_ name: Name) -> Int? {
    if case .number(let number)? = values[name] { number } else { nil }
  }

  /// Octets that are no text.
  func octets(_ name: Name) -> ArraySlice<UInt8>? {
    if case .octets(let octets)? = values[name] { octets } else { nil }
  }

  /// What an object holds, behind the id of what can read it.
  func object(_ name: Name) -> ArraySlice<UInt8>? {
    if case .object(let octets)? = values[name] { octets.dropFirst(16) } else { nil }
  }

  /// A text; one of an octet a character is of that charset.
  func text(_ name: Name, _ charset: String?) -> Text? {
    switch values[name] {
    case .octets(let octets)?: Text(octets: octets.prefix { $0 != 0 } + [], charset: charset)
    case .unicode(let octets)?: Text(octets: Self.utf8(octets), charset: "utf-8")
    default: nil
    }
  }

  private static func utf8(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    var reader = LittleEndianReader(octets)
    var units: [UInt16] = []
    while let unit = reader.number(2), unit != 0 { units.append(UInt16(unit)) }
    return [UInt8](String(decoding: units, as: UTF16.self).utf8)
  }
}
