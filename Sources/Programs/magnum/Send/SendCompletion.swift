internal import CommandLine
internal import MailModel
internal import Sendmail

/// The options of magnum-send for the completion of shells: those of one letter and those with two dashes.
///
/// The longer ones of sendmail, such as `-odq`, are there under another name.
enum SendCompletion {
  /// The script for a shell; nil for one that is not known.
  static func script(for shell: String) -> String? {
    CompletionScript.text(command, for: shell)
  }

  /// What is completed; the parser of the program is another one, as sendmail's options are.
  private struct Nothing {
    var flag = false
    var text: String?
  }

  private static var command: CommandDefinition {
    CommandDefinition(
      "magnum-send",
      abstract: "Accept a message, queue it and send it.",
      initial: Nothing(),
      globals: [],
      options: letters
        + LongOption.all.filter { !["--help", "--version"].contains($0.name) }
        .flatMap(options),
      run: { _, _ in .usage }
    )
  }

  private static var letters: [CommandOption<Nothing>] {
    SendHelp.letters.compactMap { label, help in
      let words = label.split(separator: " ").map(String.init)
      guard words[0].utf8.count == 2 else { return nil }
      return option(words[0], words.count > 1 ? words[1] : nil, help)
    }
  }

  private static func options(_ option: LongOption) -> [CommandOption<Nothing>] {
    let letter = option.letters.utf8.count == 2 ? [option.letters] : []
    return ([option.name] + letter).map { self.option($0, option.value, option.help) }
  }

  private static func option(
    _ name: String,
    _ value: String?,
    _ help: String
  ) -> CommandOption<Nothing> {
    guard let value else { return .flag(name, sets: \.flag, help: help) }
    return .text(name, value: value, completion: completion(value, name), sets: \.text, help: help)
  }

  private static func completion(_ value: String, _ name: String) -> Completion {
    switch value {
    case "FILE": .files
    case "NAME" where name != "-F": .names(.accounts)
    default: .none
    }
  }
}
