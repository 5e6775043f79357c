internal import MailModel
internal import CommandLine
internal import Configuration
internal import Maildir
internal import Octets
internal import Platform
internal import Terminal

/// `magnum accounts folders`: the folders of accounts, for other programs.
struct AccountsFolders {
  /// How they are printed: a line each, or as words of a language, in which strange names are data.
  enum Format: String, CaseIterable {
    case text, text0, sh, mutt, vim, elisp
  }

  struct Options {
    var format = Format.text
  }

  static var command: CommandDefinition {
    CommandDefinition(
      "folders",
      abstract: "List the Maildir folders of accounts.",
      discussion: "Names are quoted for the program that reads them.",
      initial: Options(),
      globals: [.config, .account],
      options: [
        .choice("--format", value: "format", sets: \.format, help: "How to print them."),
        .flag("-0", help: "The same as --format text0.") { $0.format = .text0 },
      ],
      operands: .many("account", completion: .names(.accounts)),
      changes: { _, _ in false },
      run: { options, context in
        context.withConfiguration { configuration in
          let accounts = AccountNames(context, in: configuration)
          let named = accounts.names.compactMap { configuration.account(named: $0) }
          var (folders, statuses) = ([Path](), [accounts.status])
          for account in named {
            do throws(SystemError) {
              folders += try Self.folders(account)
            } catch {
              context.report(place: account.name, error.description)
              statuses.append(.noInput)
            }
          }
          context.console.print(octets: text(folders.map(\.octets), options.format))
          return ExitStatus.mostSevere(of: statuses)
        }
      }
    )
  }

  private static func folders(_ account: Account) throws(SystemError) -> [Path] {
    let tree = FolderTree(root: account.maildir, layout: account.layout)
    return try tree.maildirs(passingOverUnreadable: true).maildirs.map { tree.path(of: $0) }
  }

  private static func text(_ folders: [[UInt8]], _ format: Format) -> [UInt8] {
    switch format {
    case .text: folders.flatMap { Array(Printable.text($0).utf8) + [ASCII.lineFeed] }
    case .text0: folders.flatMap { $0 + [0] }
    case .sh: line(folders.map(ScriptWord.shellQuoted))
    case .mutt:
      folders.flatMap { line([[UInt8](ascii: "mailboxes"), ScriptWord.octalQuoted($0)]) }
    case .vim: line([list(folders, between: "[", "]", separator: ", ")])
    case .elisp: line([list(folders, between: "(", ")", separator: " ")])
    }
  }

  private static func line(_ words: [[UInt8]]) -> [UInt8] {
    Array(words.joined(separator: [ASCII.space])) + [ASCII.lineFeed]
  }

  private static func list(
    _ folders: [[UInt8]],
    between start: StaticString,
    _ end: StaticString,
    separator: StaticString
  ) -> [UInt8] {
    let words = folders.map(ScriptWord.octalQuoted).joined(separator: [UInt8](ascii: separator))
    return [UInt8](ascii: start) + words + [UInt8](ascii: end)
  }
}
