internal import Octets

/// The script for zsh.
struct ZshScript {
  let program: String
  let places: [CompletionPlace]

  var text: String { (start + place + values + words).joined(separator: "\n") }

  private var start: [String] {
    [
      "#compdef \(program)",
      "local place=\(program) before=${words[CURRENT-1]} i skip",
      "local -a commands options names",
      "if [[ ${words[CURRENT]} == --*=* ]]; then before=${words[CURRENT]%%=*}; compset -P '*='; fi",
    ]
  }

  /// Finds the command that the words before are of.
  private var place: [String] {
    var lines = [
      "for ((i = 2; i < CURRENT; i++)); do",
      "  if [[ -n $skip ]]; then skip=; continue; fi",
      "  case \"$place ${words[i]}\" in",
      "    (\(places.taking(separator: "|"))) skip=1 ;;",
    ]
    if places.count > 1 {
      lines.append("    (\(places.leading(separator: "|"))) place=\"$place ${words[i]}\" ;;")
    }
    return lines + ["  esac", "done"]
  }

  private var values: [String] {
    let cases = places.flatMap { place in
      place.values.map { value in
        "  (\(ShellWord.inQuotes("\(place.name) \(value.name)"))) "
          + "\(Self.action(value.completion)); return ;;"
      }
    }
    return ["case \"$place $before\" in"] + cases + ["esac"]
  }

  private var words: [String] {
    let cases = places.flatMap { place in
      [
        "  (\(ShellWord.inQuotes(place.name)))",
        "    commands=(\(Self.described(place.command.listed.map { ($0.name, $0.abstract) })))",
        "    options=(\(Self.described(place.options)))",
        "    \(Self.action(place.operands)) ;;",
      ]
    }
    return ["case $place in"] + cases + [
      "esac", "(( ! $#commands )) || _describe command commands",
      "_describe -o option options",
    ]
  }

  private static func described(_ items: [(name: String, help: String)]) -> String {
    items.map { ShellWord.inQuotes("\($0.name):\($0.help)") }.joined(separator: " ")
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .none: ":"
    case .files: "_files"
    case .directories: "_files -/"
    case .words(let words): "compadd -- \(words.joined(separator: " "))"
    case .names(let question):
      "names=(\"${(@f)$(\(CompletionScript.command(question)))}\"); "
        + "compadd -- \"${(@)names:#}\""
    }
  }
}
