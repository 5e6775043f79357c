internal import CommandLine
internal import Correspondence
internal import Platform

/// What options say of the HTML that goes beside the text of a message.
struct HTMLOptions {
  private var command: String?
  private var isMarkdown = false
  private var isOff = false

  init() {}

  /// What makes the HTML; nil for as the account has it.
  var wish: HTMLWish? {
    if let command { return .command(.shell(command)) }
    if isMarkdown { return .markdown }
    return isOff ? .textAlone : nil
  }

  func check() throws(UsageMistake) {
    if [command != nil, isMarkdown, isOff].count(where: { $0 }) > 1 {
      throw UsageMistake("--html-with, --markdown and --no-html exclude each other")
    }
    if let command, command.allSatisfy(\.isWhitespace) {
      throw UsageMistake("--html-with needs a command")
    }
  }

  /// The options of a command that has these among its own.
  static func all<Options>(
    in path: @escaping () -> WritableKeyPath<Options, HTMLOptions>
  ) -> [CommandOption<Options>] {
    [
      .text(
        "--html-with",
        value: "command",
        sets: path().appending(path: \.command),
        help: "Send HTML beside the text, which this command makes of it."
      ),
      .flag(
        "--markdown",
        sets: path().appending(path: \.isMarkdown),
        help: "Send HTML beside the text, which is Markdown."
      ),
      .flag(
        "--no-html",
        sets: path().appending(path: \.isOff),
        help: "Send the text alone, even if the account makes HTML."
      ),
    ]
  }
}
