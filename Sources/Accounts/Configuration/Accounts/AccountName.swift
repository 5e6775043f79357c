internal import Octets

/// The rules for names of accounts, which stand in file names and on the command line.
enum AccountName {
  /// What it must be or not, where it cannot be one, behind "the name of an account"; nil when it can.
  static func objection(to name: String) -> String? {
    if name.isEmpty { return "must not be empty" }
    if name.utf8.contains(ASCII.slash) { return "must not contain \"/\"" }
    if name.utf8.contains(where: ASCII.isControl) {
      return "must not contain control characters"
    }
    if name.hasPrefix("-") || name.hasPrefix(".") {
      return "must not begin with \"\(name.prefix(1))\""
    }
    return name.utf8.count > 100 ? "must not exceed 100 octets" : nil
  }
}
