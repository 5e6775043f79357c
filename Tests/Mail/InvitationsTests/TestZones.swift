import Invitations
import Octets

/// Zones that do not depend on the machine: files without transitions, whose text says all.
enum TestZones {
  private static let rules = [
    "Europe/Berlin": "CET-1CEST,M3.5.0,M10.5.0/3",
    "Europe/London": "GMT0BST,M3.5.0/1,M10.5.0",
    "America/New_York": "EST5EDT,M3.2.0,M11.1.0",
    "America/Los_Angeles": "PST8PDT,M3.2.0,M11.1.0",
    "Asia/Kolkata": "IST-5:30",
    "Pacific/Auckland": "NZST-12NZDT,M9.5.0,M4.1.0/3",
    "America/Sao_Paulo": "<-03>3",
  ]

  static func file(_ name: [UInt8]) -> [UInt8]? {
    rules[String(decoding: name, as: UTF8.self)].map { file(rule: $0) }
  }

  /// A file of version 2 with one type and no transitions.
  static func file(rule: String, types: Int = 1) -> [UInt8] {
    let counts = [0, 0, 0, 0, types, 4].flatMap { (count: Int) -> [UInt8] in
      [0, 0, 0, UInt8(count)]
    }
    let header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + counts
    let block = [UInt8](repeating: 0, count: types * 6) + Array("LMT\0".utf8)
    return header + block + header + block + Array("\n\(rule)\n".utf8)
  }

  /// Seconds by which the clock here is ahead: that of Berlin.
  static func local(_ moment: Int64) -> Int {
    file(Array("Europe/Berlin".utf8)).flatMap { ZoneFile($0) }?.offset(at: Int(moment)) ?? 0
  }
}
