import TestSupport

/// What the runs of a scene printed, in a file each.
final class RunOutput {
  private static let name = "runs"
  private let folder: String
  private var count = 0

  init(_ home: String) throws {
    folder = "\(home)/\(Self.name)"
    try Disk.make(folder)
  }

  /// Notes how a run ended.
  func note(_ outcome: TestSupport.Outcome, of words: String, on machine: Machine) throws {
    count += 1
    let number = String(count)
    let digits = String(repeating: "0", count: max(0, 3 - number.count)) + number
    let text = "\(words)\n\(outcome.end)\n\(outcome.output)\(outcome.errors)"
    try Disk.write(Array(text.utf8), to: "\(folder)/\(digits)-\(machine.name).txt")
  }

  /// Copies what the runs of a scene printed, whose files lie in a folder.
  static func keep(_ home: String, in folder: String) throws {
    Disk.removeTree(folder)
    try Disk.copyTree("\(home)/\(name)", to: folder)
  }
}
