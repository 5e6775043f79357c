internal import Octets
internal import Platform
package import Web

/// The user's browser.
package enum Browser {
  /// Has the browser open an address: the programs of `$BROWSER`, separated by colons, or xdg-open(1).
  ///
  /// No shell sees the address, and it begins with `https://`, so that no program takes it for an option or a file.
  ///
  /// - Returns: whether a program could be started.
  package static func open(_ address: WebAddress) -> Bool {
    let commands = Environment.value("BROWSER").map(commands) ?? (hasDisplay ? [["xdg-open"]] : [])
    let text = String(decoding: address.octets, as: UTF8.self)
    return commands.contains { words in
      (try? ChildProcess.start(.arguments(filled(words, with: text)))) != nil
    }
  }

  /// Without one, xdg-open starts browsers for terminals, which would take this one.
  private static var hasDisplay: Bool {
    Environment.value("DISPLAY") != nil || Environment.value("WAYLAND_DISPLAY") != nil
  }

  private static func commands(_ variable: String) -> [[String]] {
    variable.split(separator: ":").map { $0.split(separator: " ").map(String.init) }
      .filter { !$0.isEmpty }
  }

  /// The words with the address in place of `%s`, or behind them.
  private static func filled(_ words: [String], with address: String) -> [String] {
    guard words.contains("%s") else { return words + [address] }
    return words.map { $0 == "%s" ? address : $0 }
  }
}
