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
      "    set -l count 0",
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
    return lines + [
      "            case '-*'", "            case '*'", "                set count 1", "        end",
      "    end", "    test \"$place\" = \"$argv[1]\"",
      "    and begin; not set -q argv[2]; or test $count = $argv[2]; end", "end",
    ] + others
  }

  /// The words that another program gets, the first of which is its name here.
  private var others: [String] {
    guard places.contains(where: { $0.command.program != nil }) else { return [] }
    return [
      "function \(function)_rest", "    set -l words (commandline -opc)[2..-1]",
      "    set -e words[(contains -i -- $argv[1] $words)]", "    string escape -- $words", "end",
    ]
  }

  private func completions(_ place: CompletionPlace) -> [String] {
    let test = ShellWord.inQuotes("\(function) \"\(place.name)\"")
    let start = "complete -c \(program) -n \(test)"
    var lines = place.command.listed.map { subcommand in
      "\(start) -f -a \(subcommand.name) -d \(ShellWord.inQuotes(subcommand.abstract))"
    }
    if let other = place.command.program?.name {
      // Without a word before, a substitution gives nothing, and what it stands in vanishes.
      let words = "(string join ' ' -- \(other) (\(function)_rest \(place.command.name)))"
      let rest = "(complete -C \(words)\" \"(commandline -ct))"
      return lines + ["\(start) -f -a \(ShellWord.inQuotes(rest))"]
    }
    if let first = place.firstOperand {
      for (count, completion) in [(0, first), (1, place.operands)] {
        let test = ShellWord.inQuotes("\(function) \"\(place.name)\" \(count)")
        lines.append("complete -c \(program) -n \(test)\(Self.operands(completion))")
      }
    } else {
      lines.append("\(start)\(Self.operands(place.operands))")
    }
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
    case .directories, .words, .names, .namesOrFiles: " -f -a \(list(completion))"
    }
  }

  private static func value(_ completion: Completion) -> String {
    switch completion {
    case .none: " -x"
    case .files: " -r -F"
    case .directories, .words, .names, .namesOrFiles: " -x -a \(list(completion))"
    }
  }

  private static func list(_ completion: Completion) -> String {
    switch completion {
    case .none, .files: "''"
    case .directories: "'(__fish_complete_directories)'"
    case .words(let words): ShellWord.inQuotes(words.joined(separator: " "))
    case .names(let question): ShellWord.inQuotes("(\(CompletionScript.command(question)))")
    case .namesOrFiles(let question):
      // Not behind a colon, where fish would complete files for the value of a term.
      ShellWord.inQuotes(
        "(\(CompletionScript.command(question)); string match -q -- '*:*' (commandline -ct); "
          + "or __fish_complete_path (commandline -ct))"
      )
    }
  }
}
