internal import Octets

/// The rules for names of accounts, which stand in file names and on the command line.
enum AccountName {
  /// Why the name cannot be one; `nil` when it can.
  static func objection(to name: String) -> String? {
    if name.isEmpty { return "the name of an account must not be empty" }
    if name.utf8.contains(ASCII.slash) { return "the name of an account must not contain \"/\"" }
    if name.utf8.contains(where: ASCII.isControl) {
      return "the name of an account must not contain control characters"
    }
    if name.hasPrefix("-") || name.hasPrefix(".") {
      return "the name of an account must not begin with \"\(name.prefix(1))\""
    }
    return name.utf8.count > 100 ? "the name of an account must not exceed 100 octets" : nil
  }
}
