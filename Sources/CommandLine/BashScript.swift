internal import Octets

/// The script for bash.
struct BashScript {
  let program: String
  let places: [CompletionPlace]

  var text: String {
    let function = CompletionScript.function(program)
    let body = start + place + values + words
    let lines =
      ["\(function)() {"] + body.map { "  " + $0 } + ["}", "complete -F \(function) \(program)"]
    return lines.joined(separator: "\n")
  }

  /// What is typed, and the word before it; `--option=value` is three words to bash, and so is `tag:unread`, of which it
  /// completes the last.
  private var start: [String] {
    [
      "local place=\(program) current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}",
      "local i skip= head=",
      "COMPREPLY=()",
      "if [[ $current == = ]]; then current=",
      "elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}",
      "elif [[ $current == : ]]; then head=$before: current=",
      "elif [[ $before == : ]]; then head=${COMP_WORDS[COMP_CWORD - 2]}:; fi",
    ]
  }

  /// Finds the command that the words before are of.
  private var place: [String] {
    var lines = [
      "for ((i = 1; i < COMP_CWORD; i++)); do",
      "  if [[ $skip ]]; then skip=; continue; fi",
      "  case \"$place ${COMP_WORDS[i]}\" in",
      "    \(places.taking(separator: " | "))) skip=1 ;;",
    ]
    if places.count > 1 {
      lines.append(
        "    \(places.leading(separator: " | "))) place=\"$place ${COMP_WORDS[i]}\" ;;"
      )
    }
    return lines + ["  esac", "done"]
  }

  private var values: [String] {
    let cases = places.flatMap { place in
      place.values.map { value in
        "  \(ShellWord.inQuotes("\(place.name) \(value.name)"))) "
          + "\(Self.reply(value.completion)); return ;;"
      }
    }
    return ["case \"$place $before\" in"] + cases + ["esac"]
  }

  /// Options where a dash is typed, else subcommands and operands.
  private var words: [String] {
    let options = places.map { place in
      "  \(ShellWord.inQuotes(place.name))-) "
        + "\(Self.reply(.words(place.options.map(\.name)))) ;;"
    }
    let operands = places.map { place in
      let subcommands = place.command.listed.map(\.name)
      let words = subcommands.isEmpty ? [] : [Self.reply(.words(subcommands))]
      let parts = words + (place.operands == .none ? [] : [Self.reply(place.operands)])
      return
        "  \(ShellWord.inQuotes(place.name))) \((parts + [":"]).joined(separator: "; ")) ;;"
    }
    return [
      "[[ $current == -* ]] && i=- || i=",
      "case \"$place$i\" in",
    ] + options + operands + ["esac"]
  }

  /// Adds to the replies.
  ///
  /// Names are data: `compgen -W` would run what looks like a command in them.
  private static func reply(_ completion: Completion) -> String {
    switch completion {
    case .none: ":"
    case .files:
      "compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- \"$current\")"
    case .directories:
      "compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- \"$current\")"
    case .words(let words):
      "mapfile -t COMPREPLY < <(compgen -W \(ShellWord.inQuotes(words.joined(separator: " "))) -- \"$current\")"
    case .names(let question):
      "while IFS= read -r i; do printf -v i %q \"$i\"; "
        + "[[ $i != \"$head$current\"* ]] || COMPREPLY+=(\"${i#\"$head\"}\"); "
        + "done < <(\(CompletionScript.command(question)))"
    }
  }
}
