internal import ArgumentParser

/// The options of magnum-search, as they are explained, completed and checked.
struct MagnumSearch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "magnum-search",
    abstract: "Find mail by words, people, dates, flags and threads.",
    usage: "magnum-search [options] [query ...]",
    discussion: "Without a query everything is found. See magnum-search(1) and magnum-query(7).",
    version: Version.text
  )

  @Option(
    name: .long,
    help: ArgumentHelp("Read this configuration file.", valueName: "file"),
    completion: .file()
  )
  var config: String?

  @Option(
    name: .long,
    parsing: .singleValue,
    help: ArgumentHelp("Search this Maildir, without a configuration.", valueName: "directory"),
    completion: .directory
  )
  var maildir: [String] = []

  @Option(
    name: .long,
    parsing: .singleValue,
    help: ArgumentHelp("Search this account; all by default.", valueName: "account")
  )
  var account: [String] = []

  @Option(name: .long, help: "What to print of what is found.")
  var output = SearchOptions.Output.summary

  @Option(name: .long, help: "How to print it.")
  var format = SearchOptions.Format.text

  @Flag(name: .customShort("0"), help: "The same as --format text0.")
  var isNulSeparated = false

  @Flag(name: .long, help: "Print how many there are, and nothing else.")
  var count = false

  @Option(name: .long, help: "Which come first.")
  var sort = SearchOptions.Sort.newestFirst

  @Option(name: .long, help: ArgumentHelp("Print so many at most.", valueName: "number"))
  var limit: Int?

  @Option(name: .long, help: ArgumentHelp("Leave out so many; -N: all but N.", valueName: "number"))
  var offset: Int = 0

  @Option(
    name: .long,
    help: ArgumentHelp("Print the file of this number of each message.", valueName: "number")
  )
  var duplicate: Int?

  @Option(name: .long, help: "Print the same person once: by name and address, by address, or not.")
  var deduplicate = SearchOptions.Deduplicate.mailbox

  @Option(
    name: .long,
    parsing: .singleValue,
    help: ArgumentHelp("Leave out what bears this tag, if not searched for.", valueName: "tag")
  )
  var exclude: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp("Make a Maildir of links to what is found.", valueName: "directory"),
    completion: .directory
  )
  var links: String?

  @Flag(name: .long, help: "Read queries from standard input, one a line.")
  var batch = false

  @Flag(name: .long, help: "Exit with 2 where nothing is found.")
  var failEmpty = false

  @Option(
    name: .long,
    help: ArgumentHelp("Find the forms of words of this language.", valueName: "language")
  )
  var stem = "english"

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("What to search for.", valueName: "query")
  )
  var query: [String] = []

  func validate() throws {
    do throws(SearchOptions.Mistake) { try searchOptions.check() } catch {
      throw ValidationError(error.text)
    }
  }

  func run() throws {
    Program.run(searchOptions)
  }

  private var searchOptions: SearchOptions {
    var options = SearchOptions()
    options.config = config
    options.maildirs = maildir
    options.accounts = account
    options.output = output
    options.format = isNulSeparated ? .text0 : format
    options.count = count
    options.sort = sort
    options.limit = limit
    options.offset = offset
    options.excludedTags = exclude
    options.duplicate = duplicate
    options.deduplicate = deduplicate
    options.links = links
    options.batch = batch
    options.failEmpty = failEmpty
    options.stem = stem
    options.query = query
    return options
  }
}

extension SearchOptions.Output: ExpressibleByArgument {}
extension SearchOptions.Format: ExpressibleByArgument {}
extension SearchOptions.Deduplicate: ExpressibleByArgument {}
extension SearchOptions.Sort: ExpressibleByArgument {}
