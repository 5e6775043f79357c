package import MailModel
package import Configuration
internal import Octets
internal import Platform

/// The lines that end each message of an account.
package enum SignatureText {
  private static let limit = 64 << 10

  /// The lines behind their mark (`-- `); none where the account has none.
  ///
  /// - Throws: a file that cannot be read, a command that fails.
  package static func octets(_ settings: ComposingSettings) throws(Explanation) -> [UInt8] {
    let text: [UInt8]
    switch settings.signature {
    case .none: return []
    case .file(let path): text = try read(path)
    case .command(let command): text = try runCommand(command)
    }
    var lines = text.filter { $0 != ASCII.carriageReturn }
    while let last = lines.last, last <= ASCII.space { lines.removeLast() }
    // Files made for other programs have the mark in them.
    let mark = lines.prefix { $0 != ASCII.lineFeed }
    if mark.elementsEqual("-- ".utf8) || mark.elementsEqual("--".utf8) {
      lines.removeFirst(min(mark.count + 1, lines.count))
    }
    guard !lines.isEmpty else { return [] }
    guard String(validating: lines, as: UTF8.self) != nil else {
      throw Explanation(.configuration, "the signature is not UTF-8")
    }
    return [UInt8](ascii: "-- \n") + lines + [ASCII.lineFeed]
  }

  private static func read(_ path: Path) throws(Explanation) -> [UInt8] {
    do throws(TrustedFile.Failure) {
      return try TrustedFile.read(path, TrustedFile.Rules(limit: limit)).octets
    } catch {
      let (words, hint): (String, String?) =
        switch error {
        case .system(let error): ("\(error.description)", nil)
        case .tooLong(let limit): ("\(path.display): longer than \(limit) octets", nil)
        case .untrusted(let failure): ("\(failure.path.display): \(failure.words)", failure.remedy)
        }
      throw Explanation(.configuration, "signature-file: \(words)", hint: hint)
    }
  }

  private static func runCommand(_ command: ChildProcess.Command) throws(Explanation) -> [UInt8] {
    let result = try explaining(.configuration, place: "signature-command") {
      () throws(SystemError) in
      try ChildProcess.run(command, timeout: 10, outputLimit: limit)
    }
    guard result.status == .exited(0) else {
      throw Explanation(.configuration, "signature-command: \(command.program) failed")
    }
    return result.output
  }
}
