/// What `--help` prints about a command, made of the definitions that the parser uses.
package enum HelpText {
  private static let indent = 26
  private static let width = 80

  /// The help for the last command of a path.
  package static func text(_ path: [CommandDefinition]) -> String {
    guard let command = path.last else { return "" }
    var lines = wrapped("OVERVIEW: \(command.abstract)", indent: 0)
    if !command.discussion.isEmpty { lines += [""] + wrapped(command.discussion, indent: 0) }
    lines += ["", "USAGE: \(synopsis(path))"]
    lines += ["", "OPTIONS:"] + command.options.flatMap { entry($0.label, $0.help) }
    if command.hasSubcommands { lines += subcommands(command) }
    return lines.joined(separator: "\n")
  }

  /// The subcommands, in groups where there are some; what is in none comes last.
  private static func subcommands(_ command: CommandDefinition) -> [String] {
    let all = command.listed
    var lines: [String] = []
    for group in command.groups {
      let members = group.names.compactMap { name in all.first { $0.name == name } }
      lines += ["", "\(group.title):"] + members.flatMap { entry($0, of: command) }
    }
    let grouped = Set(command.groups.flatMap(\.names))
    let rest = all.filter { !grouped.contains($0.name) }
    if !rest.isEmpty { lines += ["", "SUBCOMMANDS:"] + rest.flatMap { entry($0, of: command) } }
    return lines
  }

  private static func entry(
    _ subcommand: CommandDefinition,
    of command: CommandDefinition
  ) -> [String] {
    let isDefault = subcommand.name == command.defaultSubcommand
    return entry(subcommand.name + (isDefault ? " (default)" : ""), subcommand.abstract)
  }

  private static func synopsis(_ path: [CommandDefinition]) -> String {
    var words = path.map(\.name) + ["[options]"]
    if let last = path.last {
      if last.hasSubcommands {
        words.append(last.defaultSubcommand == nil ? "subcommand" : "[subcommand]")
      }
      if let operands = last.operands.synopsis { words.append(operands) }
    }
    return words.joined(separator: " ")
  }

  /// A label and its help beside it, or below it where the label is long.
  private static func entry(_ label: String, _ help: String) -> [String] {
    let label = "  " + label
    var lines = wrapped(help, indent: indent)
    guard label.utf8.count < indent, let first = lines.first else { return [label] + lines }
    lines[0] = label + first.dropFirst(label.utf8.count)
    return lines
  }

  private static func wrapped(_ text: String, indent: Int) -> [String] {
    let space = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = space
    for word in text.split(separator: " ") {
      if line.count > indent, line.count + 1 + word.count > width {
        lines.append(line)
        line = space
      }
      line += (line.count > indent ? " " : "") + word
    }
    return lines + [line]
  }
}
