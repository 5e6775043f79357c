internal import Octets

/// The script for fish.
struct FishScript {
  let program: String
  let places: [CompletionPlace]

  var text: String { (condition + places.flatMap(completions)).joined(separator: "\n") }

  private var function: String { "_" + CompletionScript.function(program) + "_at" }

  /// Whether the words before are of this command.
  private var condition: [String] {
    var lines = [
      "function \(function)", "    set -l place \(program)", "    set -l skip",
      "    for word in (commandline -opc)[2..-1]",
      "        if set -q skip[1]; set skip; continue; end",
      "        switch \"$place $word\"",
      "            case \(places.taking(separator: " "))", "                set skip 1",
    ]
    if places.count > 1 {
      lines += [
        "            case \(places.leading(separator: " "))",
        "                set place \"$place $word\"",
      ]
    }
    return lines + ["        end", "    end", "    test \"$place\" = \"$argv[1]\"", "end"]
  }

  private func completions(_ place: CompletionPlace) -> [String] {
    let test = ShellWord.inQuotes("\(function) \"\(place.name)\"")
    let start = "complete -c \(program) -n \(test)"
    var lines = place.command.listed.map { subcommand in
      "\(start) -f -a \(subcommand.name) -d \(ShellWord.inQuotes(subcommand.abstract))"
    }
    lines.append("\(start)\(Self.operands(place.operands))")
    for option in place.command.options {
      let names = option.names.map(Self.option).joined(separator: " ")
      let value = option.value.map { Self.value($0.completion) } ?? ""
      lines.append("\(start) \(names)\(value) -d \(ShellWord.inQuotes(option.help))")
    }
    return lines
  }

  private static func option(_ name: String) -> String {
    name.hasPrefix("--") ? "-l \(name.dropFirst(2))" : "-s \(name.dropFirst())"
  }

  private static func operands(_ completion: Completion) -> String {
    switch completion {
    case .none: " -f"
    case .files: " -F"
    case .directories, .words, .names: " -f -a \(list(completion))"
    }
  }

  private static func value(_ completion: Completion) -> String {
    switch completion {
    case .none: " -x"
    case .files: " -r -F"
    case .directories, .words, .names: " -x -a \(list(completion))"
    }
  }

  private static func list(_ completion: Completion) -> String {
    switch completion {
    case .none, .files: "''"
    case .directories: "'(__fish_complete_directories)'"
    case .words(let words): ShellWord.inQuotes(words.joined(separator: " "))
    case .names(let question): ShellWord.inQuotes("(\(CompletionScript.command(question)))")
    }
  }
}
