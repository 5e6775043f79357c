internal import Octets

/// The script for zsh.
struct ZshScript {
  let program: String
  let places: [CompletionPlace]

  var text: String { (start + place + others + values + words).joined(separator: "\n") }

  private var start: [String] {
    [
      "#compdef \(program)",
      "local place=\(program) before=${words[CURRENT-1]} i skip at=1 count=0",
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
      lines.append(
        "    (\(places.leading(separator: "|"))) place=\"$place ${words[i]}\" at=$i ;;"
      )
    }
    return lines + ["    (*) [[ ${words[i]} == -* ]] || count=1 ;;", "  esac", "done"]
  }

  /// What follows the name of another program is completed by the function of that.
  private var others: [String] {
    let cases = places.compactMap { place -> String? in
      guard let other = place.command.program?.name else { return nil }
      return "  (\(ShellWord.inQuotes(place.name))) "
        + "words=(\(other) \"${(@)words[2,at-1]}\" \"${(@)words[at+1,-1]}\"); "
        + "(( CURRENT-- )); _normal; return ;;"
    }
    return cases.isEmpty ? [] : ["case $place in"] + cases + ["esac"]
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
        "    \(Self.operands(place)) ;;",
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

  private static func operands(_ place: CompletionPlace) -> String {
    guard let first = place.firstOperand else { return action(place.operands) }
    return "if (( count )); then \(action(place.operands)); else \(action(first)); fi"
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
    case .namesOrFiles(let question): "{ \(action(.names(question))) } || _files"
    }
  }
}
