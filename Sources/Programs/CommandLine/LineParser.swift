internal import Configuration
internal import Octets

/// Reads a command line by the definitions of commands.
///
/// A word that begins with two dashes is an option; `--` ends the options. An option that takes a value takes what is
/// behind `=`, or the next word unless that looks like an option. Common options may stand before the subcommand.
package struct LineParser {
  /// What a command line asks for.
  package enum Result {
    case run(ParsedLine)
    case help([CommandDefinition])
    case version
    /// Another program of the suite does it, with these arguments.
    case program(SuiteProgram, arguments: [String])
    /// The script with which a shell completes command lines.
    case completionScript(shell: String)
  }

  private var line: ParsedLine
  private var rest: ArraySlice<String>
  private var wanted: Result?
  private let arguments: [String]
  /// The options of the command that is named by so many words.
  private var known: (words: Int, own: [OptionDescription])?

  private init(_ program: CommandDefinition, _ arguments: [String]) {
    line = ParsedLine(path: [program])
    self.arguments = arguments
    rest = arguments[...]
  }

  /// What the arguments ask of a program.
  ///
  /// - Throws: the first mistake, with the words by which the command is called that it was made with.
  package static func parse(
    _ program: CommandDefinition,
    _ arguments: [String]
  ) throws(LocatedMistake) -> Result {
    var parser = LineParser(program, arguments)
    do throws(UsageMistake) {
      return try parser.parse()
    } catch {
      throw LocatedMistake(name: parser.line.name, mistake: error)
    }
  }

  private mutating func parse() throws(UsageMistake) -> Result {
    while wanted == nil, let word = rest.popFirst() {
      if word == "--" {
        descendToDefault()
        line.operandsBeforeDashes = line.operands.count
        line.operands += rest
        break
      }
      try takeWord(word)
    }
    if let wanted { return wanted }
    descendToDefault()
    guard !line.command.hasSubcommands else {
      // Options without a command would be ignored.
      if line.givenGlobals.isEmpty, line.operands.isEmpty { return .help(line.path) }
      throw UsageMistake("no command is given")
    }
    try line.check()
    return .run(line)
  }

  private mutating func takeWord(_ word: String) throws(UsageMistake) {
    let octets = word.utf8
    guard octets.first == ASCII.minus, octets.count > 1 else { return try takeOperand(word) }
    if octets.dropFirst().first == ASCII.minus { return try takeLong(word) }
    if try takeExactly(word) { return }
    if line.command.operands.mayBeginWithDash { return line.operands.append(word) }
    try takeCluster(word)
  }

  private mutating func takeOperand(_ word: String) throws(UsageMistake) {
    guard line.command.hasSubcommands else { return line.operands.append(word) }
    if let subcommand = line.command.subcommand(word) {
      line.path.append(subcommand)
      if let program = subcommand.program {
        // Options before the name are that program's too.
        wanted = .program(program, arguments: Array(arguments[..<(rest.startIndex - 1)] + rest))
      }
      return
    }
    if word == "help" {
      return try takeHelp()
    }
    guard line.command.defaultSubcommand != nil else { throw unknown(command: word) }
    line.meant = line.command.meant(by: word).map { "\(line.name) \($0)" }
    descendToDefault()
    line.operands.append(word)
  }

  /// `help queue list`.
  private mutating func takeHelp() throws(UsageMistake) {
    while let name = rest.popFirst() {
      guard let next = line.command.subcommand(name) else { throw unknown(command: name) }
      line.path.append(next)
    }
    if let program = line.command.program {
      wanted = .program(program, arguments: ["--help"])
    } else {
      wanted = .help(line.path)
    }
  }

  private func unknown(command name: String) -> UsageMistake {
    let near = line.command.meant(by: name)
    return UsageMistake("unknown command \"\(name)\"", hint: near.map { "did you mean \($0)?" })
  }

  private mutating func descendToDefault() {
    while let name = line.command.defaultSubcommand, let next = line.command.subcommand(name) {
      line.path.append(next)
    }
  }
}

// Options.
extension LineParser {
  private mutating func takeLong(_ word: String) throws(UsageMistake) {
    if try takeExactly(word) { return }
    guard let equals = word.utf8.firstIndex(of: ASCII.equals) else { throw unknown(word) }
    let name = String(word[..<equals])
    let value = String(word[word.utf8.index(after: equals)...])
    guard try takeOption(name, glued: value) else { throw unknown(name) }
  }

  /// Takes a word that is the name of an option, and its value from the next word.
  private mutating func takeExactly(_ word: String) throws(UsageMistake) -> Bool {
    try takeOption(word, glued: nil)
  }

  /// `-nv` for `-n -v`.
  private mutating func takeCluster(_ word: String) throws(UsageMistake) {
    for letter in word.dropFirst() {
      guard try takeOption("-\(letter)", glued: nil) else { throw unknown(word) }
    }
  }

  /// For packagers; help does not list it.
  private static let completionOption = OptionDescription(
    names: ["--generate-completion-script"],
    value: OptionValue(name: "shell", completion: .words(CompletionScript.shells)),
    help: "Print a script for the completion of a shell."
  )

  private mutating func takeOption(_ name: String, glued: String?) throws(UsageMistake) -> Bool {
    if CommandDefinition.builtIn.contains(where: { $0.names.contains(name) }) {
      if glued != nil { throw UsageMistake("\(name) takes no value") }
      wanted = name == "--version" ? .version : .help(line.path)
      return true
    }
    if name == Self.completionOption.names[0] {
      wanted = .completionScript(shell: try value(of: Self.completionOption, name, glued))
      return true
    }
    for option in GlobalOption.allCases {
      let definition = option.definition
      guard definition.description.names.contains(name) else { continue }
      let value = try value(of: definition.description, name, glued)
      _ = definition.apply(&line.globals, value)
      line.givenGlobals.append((option, name))
      return true
    }
    let own = ownOptions()
    if let index = own.firstIndex(where: { $0.names.contains(name) }) {
      let value = try value(of: own[index], name, glued)
      line.found.append(ParsedLine.Found(index: index, name: name, value: value))
      return true
    }
    guard let command = line.command.defaultSubcommand.flatMap(line.command.subcommand),
      command.own.contains(where: { $0.names.contains(name) })
    else { return false }
    line.path.append(command)
    return try takeOption(name, glued: glued)
  }

  /// The options of the command itself, made once.
  private mutating func ownOptions() -> [OptionDescription] {
    if let known, known.words == line.path.count { return known.own }
    let own = line.command.own
    known = (line.path.count, own)
    return own
  }

  private mutating func value(
    of option: OptionDescription,
    _ name: String,
    _ glued: String?
  ) throws(UsageMistake) -> String {
    guard let value = option.value else {
      if glued != nil { throw UsageMistake("\(name) takes no value") }
      return ""
    }
    if let glued { return glued }
    guard let next = rest.first, !Self.looksLikeOption(next) else {
      throw UsageMistake("\(name) needs a value: \(name) <\(value.name)>")
    }
    rest.removeFirst()
    return next
  }

  /// A dash alone is a value, and so is a negative number.
  private static func looksLikeOption(_ word: String) -> Bool {
    let octets = word.utf8
    guard octets.first == ASCII.minus, let second = octets.dropFirst().first else { return false }
    return !ASCII.isDigit(second)
  }

  private func unknown(_ name: String) -> UsageMistake {
    let names = line.command.options.flatMap(\.names)
    let near = name.utf8.count > 3 ? Suggestion.nearest(to: name, among: names) : nil
    return UsageMistake("unknown option \(name)", hint: near.map { "did you mean \($0)?" })
  }
}
