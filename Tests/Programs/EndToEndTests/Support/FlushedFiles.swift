import TestSupport
import Testing

/// Files and directories that a program makes durable.
enum FlushedFiles {
  /// A new recent database of an index, and what says that it counts.
  static let recent = [
    "gen-N/recent", "gen-N/recent-N", "index/gen-N", "index/gen-N", "recent-N/docdata.glass",
    "recent-N/iamglass", "recent-N/position.glass", "recent-N/postlist.glass",
    "recent-N/termlist.glass",
  ]

  /// The last two parts of a path, with `N` for numbers, and without what names of new files end in.
  static func name(_ path: Substring) -> String {
    let end = path.split(separator: "/").suffix(2).joined(separator: "/")
    let whole = end.split(separator: ".tmp-")[0]
    let parts = whole.split(omittingEmptySubsequences: false) { $0.isNumber }
    return parts.reduce(into: "") { name, part in
      if !name.isEmpty, !name.hasSuffix("N") { name += "N" }
      name += part
    }
  }
}

extension Stage {
  /// What a command makes durable, sorted by name.
  func flushed(by command: Command) throws -> [String] {
    try flushedInOrder(by: command).sorted()
  }

  /// What a command makes durable, in the order in which it does.
  func flushedInOrder(by command: Command) throws -> [String] {
    let folder = program.home["changes"]
    Files.removeTree(folder)
    try Files.makeDirectories(folder)
    var command = command
    command.environment.merge(try Preload.variables(changes: folder)) { _, new in new }
    let outcome = try command.run()
    #expect(outcome.code == 0, "\(outcome)")
    return (Files.text("\(folder)/log") ?? "").split(separator: "\n").compactMap { line in
      let words = line.split(separator: "\t")
      return words[0].contains("sync") ? FlushedFiles.name(words[3]) : nil
    }
  }
}
