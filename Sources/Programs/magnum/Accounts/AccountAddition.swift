internal import MailModel
internal import Configuration
internal import Octets
internal import Platform

/// Accounts that are added to the configuration, with the passwords that go to files of their own.
struct AccountAddition {
  private let addition: ConfigurationAddition
  private let text: String
  private let passwords: [(path: Path, octets: [UInt8])]

  init(
    _ addition: ConfigurationAddition,
    _ text: String,
    _ passwords: [(path: Path, octets: [UInt8])]
  ) {
    self.addition = addition
    self.text = text
    self.passwords = passwords
  }

  /// First the passwords, then what names them; where that fails, no password is left behind.
  func write() throws(Explanation) {
    var made: [Path] = []
    do throws(Explanation) {
      for (path, octets) in passwords where try Self.writePassword(octets, path) {
        made.append(path)
      }
      try Explanation.of { () throws(ConfigurationError) in
        try addition.write(text)
      }
    } catch {
      for path in made { try? FileSystem.remove(path) }
      throw error
    }
  }

  private static func writePassword(_ octets: [UInt8], _ path: Path) throws(Explanation) -> Bool {
    do throws(SystemError) {
      return try PasswordFiles.write(octets, to: path)
    } catch {
      throw Explanation(
        .cannotCreate,
        place: ConfigurationEnvironment.current.shown(path),
        error.isAlreadyThere ? "there is another password in this file" : error.reason,
        hint: error.isAlreadyThere ? "move it away, and try again" : nil
      )
    }
  }
}

extension Explanation {
  /// What the body gives.
  ///
  /// - Throws: the explanation of its mistake.
  static func of<Result>(
    _ body: () throws(ConfigurationError) -> Result
  ) throws(Explanation) -> Result {
    do throws(ConfigurationError) { return try body() } catch { throw error.explanation }
  }
}
