internal import CommandLine

/// The program magnum-search: a query in, what it finds out, an exit status.
enum MagnumSearch {
  /// What the name magnum-search stands for.
  static var program: SuiteProgram { SuiteProgram(command, named: "magnum-search") }

  /// The options, each defined here and nowhere else.
  static var command: CommandDefinition {
    CommandDefinition(
      "magnum-search",
      abstract: "Find mail by words, people, dates, flags and threads.",
      discussion: "Without a query everything is found. See magnum-search(1) and magnum-query(7).",
      initial: SearchOptions(),
      globals: [.config, .account, .json, .quiet],
      options: whereToSearch + whatToPrint + howToAnswer,
      operands: .many("query", completion: .names(.terms), mayBeginWithDash: true),
      check: { (options, line) throws(UsageMistake) in try options.check(line) },
      changes: { _, _ in false },
      run: { options, context in SearchCommand(options, context).run() }
    )
  }

  private static var whereToSearch: [CommandOption<SearchOptions>] {
    [
      .texts(
        "--maildir",
        value: "directory",
        completion: .directories,
        addsTo: \.maildirs,
        help: "Search this Maildir, without a configuration."
      ),
      .text(
        "--uuid",
        value: "uuid",
        sets: \.uuid,
        help: "Search only if this is the index; else exit with status 1."
      ),
      .texts(
        "--exclude",
        value: "tag",
        completion: .names(.tags),
        addsTo: \.exclusion.words,
        help: "Leave out messages with this tag, unless the query names it; false: none."
      ),
      .text(
        "--stem",
        value: "language",
        sets: \.stem,
        help: "Find the forms of words of this language; english by default."
      ),
    ]
  }

  private static var whatToPrint: [CommandOption<SearchOptions>] {
    [
      .choice(
        "--output",
        value: "what",
        sets: \.output,
        help: "What to print of the messages found."
      ),
      .choice("--format", value: "format", sets: \.format, help: "How to print it."),
      .number(
        "--format-version",
        value: "version",
        sets: \.formatVersion,
        help: "The version of notmuch's format that a program knows; has no effect."
      ),
      .flag("-0", help: "The same as --format text0.") { $0.format = .text0 },
      .flag("--count", sets: \.count, help: "Print only how many results there are."),
      .flag(
        "--lastmod",
        sets: \.lastmod,
        help: "Print the UUID and the revision of the index behind the count."
      ),
      .choice("--sort", value: "order", sets: \.sort, help: "The order of results."),
      .number("--limit", sets: \.limit, help: "Print at most this number of results."),
      .number(
        "--offset",
        sets: \.offset,
        help: "Leave out this number of results; -N: all but the last N."
      ),
      .number(
        "--duplicate",
        sets: \.duplicate,
        help: "Print the file of this number of each message."
      ),
      .choice(
        "--deduplicate",
        value: "how",
        sets: \.deduplicate,
        help: "Which people count as the same and are printed once."
      ),
      .flag("--bare-addresses", sets: \.bareAddresses, help: "Print addresses without names."),
      .flag(
        "--with-counts",
        sets: \.withCounts,
        help: "Print before each person how often it occurs, and a tab."
      ),
    ]
  }

  private static var howToAnswer: [CommandOption<SearchOptions>] {
    [
      .text(
        "--links",
        value: "directory",
        completion: .directories,
        sets: \.links,
        help: "Make a Maildir of links to the messages found."
      ),
      .flag("--batch", sets: \.batch, help: "Read queries from standard input, one a line."),
      .flag(
        "--no-remarks",
        sets: \.noRemarks,
        help: "If nothing is found, print no remarks about the query."
      ),
      .flag("--no-archives", sets: \.noArchives, help: "Search this machine alone."),
      .flag(
        "--strict",
        sets: \.strict,
        help: "Exit with status 75 if an archive does not answer."
      ),
      .flag("--serve", sets: \.serve, help: "Answer the questions of other machines."),
      .flag("--fail-empty", sets: \.failEmpty, help: "Exit with status 2 if nothing is found."),
    ]
  }
}
