/// Scripts with which shells complete a command line, made of the definitions that the parser uses.
package enum CompletionScript {
  /// The shells that there are scripts for.
  static let shells = ["bash", "zsh", "fish"]

  /// The script for a shell; nil for a shell that is not known.
  package static func text(_ program: CommandDefinition, for shell: String) -> String? {
    let places = Place.all(program)
    switch shell {
    case "bash": return bash(program.name, places)
    case "zsh": return zsh(program.name, places)
    case "fish": return fish(program.name, places)
    default: return nil
    }
  }

  /// A command by its words, such as `magnum queue list`.
  private struct Place {
    let name: String
    let command: CommandDefinition

    static func all(_ command: CommandDefinition, below parent: String = "") -> [Place] {
      let name = parent + command.name
      return [Place(name: name, command: command)]
        + command.subcommands.flatMap { all($0, below: name + " ") }
    }

    /// Each name of an option that takes a value, with what completes the value.
    var values: [(name: String, completion: Completion)] {
      command.options.flatMap { option in
        option.names.compactMap { name in option.value.map { (name, $0.completion) } }
      }
    }

    /// Subcommands and options with a word about each.
    var words: [(name: String, help: String)] {
      command.subcommands.map { ($0.name, $0.abstract) }
        + command.options.flatMap { option in option.names.map { ($0, option.help) } }
    }
  }

  /// A name for a function of a shell.
  private static func function(_ program: String) -> String {
    "_" + program.split(separator: "-").joined(separator: "_")
  }

  /// In single quotes, as all three shells read them.
  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  private static func patterns(_ places: [Place], _ separator: String) -> String {
    places.dropFirst().map { quoted($0.name) }.joined(separator: separator)
  }
}

// bash
extension CompletionScript {
  private static func bash(_ program: String, _ places: [Place]) -> String {
    let function = function(program)
    var lines = [
      "\(function)() {", "  local place=\(program) current=${COMP_WORDS[COMP_CWORD]} i",
      "  COMPREPLY=()",
    ]
    if places.count > 1 {
      lines += [
        "  for ((i = 1; i < COMP_CWORD; i++)); do", "    case \"$place ${COMP_WORDS[i]}\" in",
        "      \(patterns(places, " | "))) place=\"$place ${COMP_WORDS[i]}\" ;;", "    esac",
        "  done",
      ]
    }
    lines.append("  case \"$place ${COMP_WORDS[COMP_CWORD - 1]}\" in")
    for place in places {
      for value in place.values {
        let words = "mapfile -t COMPREPLY < <(\(compgen(value.completion)) -- \"$current\")"
        lines.append("    \(quoted("\(place.name) \(value.name)"))) \(words); return ;;")
      }
    }
    lines += ["  esac", "  case $place in"]
    for place in places {
      let words = place.words.map(\.name).joined(separator: " ")
      lines.append("    \(quoted(place.name))) i=\(quoted(words)) ;;")
    }
    lines += ["  esac", "  mapfile -t COMPREPLY < <(compgen -W \"$i\" -- \"$current\")", "}"]
    lines.append("complete -o default -F \(function) \(program)")
    return lines.joined(separator: "\n")
  }

  private static func compgen(_ completion: Completion) -> String {
    switch completion {
    case .none: "compgen -W ''"
    case .files: "compgen -f"
    case .directories: "compgen -d"
    case .words(let words): "compgen -W \(quoted(words.joined(separator: " ")))"
    }
  }
}

// zsh
extension CompletionScript {
  private static func zsh(_ program: String, _ places: [Place]) -> String {
    var lines = ["#compdef \(program)", "local place=\(program) i", "local -a items"]
    if places.count > 1 {
      lines += [
        "for ((i = 2; i < CURRENT; i++)); do", "  case \"$place ${words[i]}\" in",
        "    (\(patterns(places, "|"))) place=\"$place ${words[i]}\" ;;", "  esac", "done",
      ]
    }
    lines.append("case \"$place ${words[CURRENT-1]}\" in")
    for place in places {
      for value in place.values {
        let name = quoted("\(place.name) \(value.name)")
        lines.append("  (\(name)) \(action(value.completion)); return ;;")
      }
    }
    lines += ["esac", "case $place in"]
    for place in places {
      let items = place.words.map { quoted("\($0.name):\($0.help)") }.joined(separator: " ")
      lines.append("  (\(quoted(place.name))) items=(\(items)) ;;")
    }
    lines += ["esac", "_describe -o \(quoted(program)) items", "_files"]
    return lines.joined(separator: "\n")
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .none: "_message value"
    case .files: "_files"
    case .directories: "_files -/"
    case .words(let words): "compadd \(words.joined(separator: " "))"
    }
  }
}

// fish
extension CompletionScript {
  private static func fish(_ program: String, _ places: [Place]) -> String {
    let function = "_" + function(program) + "_at"
    var lines = ["function \(function)", "    set -l place \(program)"]
    if places.count > 1 {
      lines += [
        "    for word in (commandline -opc)[2..-1]", "        switch \"$place $word\"",
        "            case \(patterns(places, " "))", "                set place \"$place $word\"",
        "        end", "    end",
      ]
    }
    lines += ["    test \"$place\" = \"$argv[1]\"", "end"]
    for place in places {
      let start = "complete -c \(program) -n \(quoted("\(function) \"\(place.name)\""))"
      for subcommand in place.command.subcommands {
        lines.append("\(start) -f -a \(subcommand.name) -d \(quoted(subcommand.abstract))")
      }
      for option in place.command.options {
        let names = option.names.map(fish).joined(separator: " ")
        let value = option.value.map { fish($0.completion) } ?? ""
        lines.append("\(start) \(names)\(value) -d \(quoted(option.help))")
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func fish(_ name: String) -> String {
    name.hasPrefix("--") ? "-l \(name.dropFirst(2))" : "-s \(name.dropFirst())"
  }

  private static func fish(_ completion: Completion) -> String {
    switch completion {
    case .none: " -x"
    case .files: " -r -F"
    case .directories: " -x -a '(__fish_complete_directories)'"
    case .words(let words): " -x -a \(quoted(words.joined(separator: " ")))"
    }
  }
}
