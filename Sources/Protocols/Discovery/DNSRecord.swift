internal import Octets

/// The types of records that are asked for (RFC 1035 §3.2.2, RFC 2782).
package enum DNSRecordType: UInt16, Hashable, Sendable {
  case mx = 15
  case txt = 16
  case srv = 33
}

/// A record of DNS; names are without the dot at their end, the root is empty.
package enum DNSRecord: Hashable, Sendable {
  /// A server that takes the domain's mail; the least preference is the best.
  case mx(preference: UInt16, host: [UInt8])
  /// A text, its strings joined.
  case txt([UInt8])
  /// A server for a service; the least priority is the best, then the greatest weight.
  case srv(priority: UInt16, weight: UInt16, port: UInt16, target: [UInt8])
}

/// An answer of a DNS server (RFC 1035 §4).
package enum DNSAnswer {
  /// The records of one type in the answer, in their order; none where the name does not exist.
  ///
  /// Records that are broken in themselves, or name a host with other octets than a dot between its labels, are left out.
  ///
  /// - Parameters:
  ///   - message: the octets of the answer.
  ///   - type: what was asked for.
  /// - Returns: the records; nil where this is no whole answer.
  package static func records(_ message: [UInt8], type: DNSRecordType) -> [DNSRecord]? {
    var reader = DNSReader(message)
    guard reader.skip(2), let flags = reader.number(), flags & 0x8000 != 0,
      let questions = reader.number(), let answers = reader.number(), reader.skip(4)
    else { return nil }
    // No error, or no such name.
    guard [0, 3].contains(flags & 0x000F) else { return nil }
    for _ in 0..<questions { guard reader.skipName(), reader.skip(4) else { return nil } }
    var records: [DNSRecord] = []
    for _ in 0..<answers {
      guard reader.skipName(), let found = reader.number(), let group = reader.number(),
        reader.skip(4), let length = reader.number(), let data = reader.part(Int(length))
      else { return nil }
      guard found == type.rawValue, group == 1 else { continue }
      if let record = record(data, type) { records.append(record) }
    }
    return records
  }

  private static func record(_ data: DNSReader, _ type: DNSRecordType) -> DNSRecord? {
    var data = data
    switch type {
    case .mx:
      guard let preference = data.number(), let host = data.name(), data.isAtEnd else { return nil }
      return .mx(preference: preference, host: host)
    case .txt:
      var text: [UInt8] = []
      while !data.isAtEnd {
        guard let part = data.string() else { return nil }
        text += part
      }
      return .txt(text)
    case .srv:
      guard let priority = data.number(), let weight = data.number(), let port = data.number(),
        let target = data.name(), data.isAtEnd
      else { return nil }
      return .srv(priority: priority, weight: weight, port: port, target: target)
    }
  }
}

/// Reads a message from left to right, and names in it where they point to.
private struct DNSReader {
  private let message: [UInt8]
  private var index: Int
  private var end: Int

  init(_ message: [UInt8]) {
    self.message = message
    index = 0
    end = message.count
  }

  var isAtEnd: Bool { index == end }

  mutating func skip(_ count: Int) -> Bool {
    guard end - index >= count else { return false }
    index += count
    return true
  }

  mutating func number() -> UInt16? {
    guard end - index >= 2 else { return nil }
    defer { index += 2 }
    return UInt16(message[index]) << 8 | UInt16(message[index + 1])
  }

  /// A reader of the next octets, which are behind this one then.
  mutating func part(_ count: Int) -> DNSReader? {
    guard end - index >= count else { return nil }
    var part = self
    part.end = index + count
    index += count
    return part
  }

  mutating func string() -> ArraySlice<UInt8>? {
    guard index < end, case let count = Int(message[index]), end - index > count else { return nil }
    defer { index += 1 + count }
    return message[(index + 1)..<(index + 1 + count)]
  }

  mutating func skipName() -> Bool {
    while index < end {
      let octet = Int(message[index])
      switch octet {
      case 0: return skip(1)
      case 1..<0x40: guard skip(1 + octet) else { return false }
      case 0xC0...: return skip(2)
      default: return false
      }
    }
    return false
  }

  /// The name at this place; a label with a dot or another octet that no host has makes it none.
  mutating func name() -> [UInt8]? {
    let start = index
    guard skipName() else { return nil }
    var place = start
    var name: [UInt8] = []
    while place < message.count {
      let octet = Int(message[place])
      switch octet {
      case 0: return name
      case 1..<0x40:
        guard message.count - place > octet else { return nil }
        let label = message[(place + 1)...(place + octet)]
        guard label.allSatisfy(Self.isPlain) else { return nil }
        name += (name.isEmpty ? [] : [ASCII.dot]) + label
        guard name.count <= 253 else { return nil }
        place += 1 + octet
      case 0xC0...:
        guard place + 1 < message.count else { return nil }
        let target = (octet & 0x3F) << 8 | Int(message[place + 1])
        // Names point to what stands before them, so that none goes round in a circle.
        guard target < place else { return nil }
        place = target
      default: return nil
      }
    }
    return nil
  }

  private static func isPlain(_ octet: UInt8) -> Bool {
    ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == ASCII.minus
      || octet == ASCII.underscore
  }
}
