internal import Octets

/// Time zones by name, obsolete in mail and alive in it (RFC 5322 §4.3).
enum ZoneNames {
  /// Minutes ahead of UTC; `nil` for a name that is unknown or means different zones.
  static func minutes(_ name: ArraySlice<UInt8>) -> Int? {
    names.first { name.equalsCaseless($0.name) }?.minutes
  }

  private static let names: [(name: StaticString, minutes: Int)] = [
    ("GMT", 0), ("UT", 0), ("UTC", 0), ("Z", 0), ("WET", 0),
    ("EST", -300), ("EDT", -240), ("CST", -360), ("CDT", -300),
    ("MST", -420), ("MDT", -360), ("PST", -480), ("PDT", -420),
    ("AKST", -540), ("AKDT", -480), ("HST", -600), ("AST", -240), ("ADT", -180), ("NST", -210),
    ("BRT", -180), ("ART", -180),
    ("BST", 60), ("WEST", 60), ("CET", 60), ("MET", 60), ("MEZ", 60), ("CEST", 120),
    ("MEST", 120), ("MESZ", 120), ("EET", 120), ("SAST", 120), ("EEST", 180), ("MSK", 180),
    ("MSD", 240), ("HKT", 480), ("SGT", 480), ("AWST", 480), ("JST", 540), ("KST", 540),
    ("AEST", 600), ("AEDT", 660), ("NZST", 720), ("NZDT", 780),
  ]
}
