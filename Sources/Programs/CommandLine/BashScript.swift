internal import Octets

/// The script for bash.
struct BashScript {
  let program: String
  let places: [CompletionPlace]

  var text: String {
    let function = CompletionScript.function(program)
    let body = start + place + others + values + words
    let lines =
      ["\(function)() {"] + body.map { "  " + $0 } + ["}", "complete -F \(function) \(program)"]
    return lines.joined(separator: "\n")
  }

  /// What is typed, and the word before it; `--option=value` is three words to bash, and so is `tag:unread`, of which it
  /// completes the last.
  private var start: [String] {
    [
      "local place=\(program) current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}",
      "local i skip= head= at=0 count=0",
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
        "    \(places.leading(separator: " | "))) place=\"$place ${COMP_WORDS[i]}\" at=$i ;;"
      )
    }
    return lines + ["    *) [[ ${COMP_WORDS[i]} == -* ]] || count=1 ;;", "  esac", "done"]
  }

  /// What follows the name of another program is completed by the script of that.
  private var others: [String] {
    let cases = places.compactMap { place -> String? in
      guard let other = place.command.program?.name else { return nil }
      let function = CompletionScript.function(other)
      return "  \(ShellWord.inQuotes(place.name))) declare -F \(function) >/dev/null || "
        + "source <(\(other) --generate-completion-script bash 2>/dev/null); "
        + "COMP_WORDS=(\(other) \"${COMP_WORDS[@]:1:at-1}\" \"${COMP_WORDS[@]:at+1}\"); "
        + "COMP_CWORD=$((COMP_CWORD - 1)); \(function); return ;;"
    }
    return cases.isEmpty ? [] : ["case $place in"] + cases + ["esac"]
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
      // A tag to be taken away begins with a dash, too.
      let more = place.operands == .namesOrFiles(.edits) ? "; \(Self.reply(.names(.edits)))" : ""
      return "  \(ShellWord.inQuotes(place.name))-) "
        + "\(Self.reply(.words(place.options.map(\.name))))\(more) ;;"
    }
    let operands = places.map { place in
      let subcommands = place.command.listed.map(\.name)
      let words = subcommands.isEmpty ? [] : [Self.reply(.words(subcommands))]
      var parts = words + (place.operands == .none ? [] : [Self.reply(place.operands)])
      if let first = place.firstOperand {
        parts = ["if ((count)); then \(Self.reply(place.operands)); else \(Self.reply(first)); fi"]
      }
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
    case .namesOrFiles(let question):
      "\(reply(.names(question))); [[ $head || ${COMPREPLY[*]} ]] || { \(reply(.files)); }"
    }
  }
}
