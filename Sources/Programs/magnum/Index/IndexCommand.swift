internal import CommandLine
internal import Configuration
internal import MailModel
internal import Maildir
internal import Platform
internal import SearchIndex
internal import Syncing
internal import Terminal
internal import Threads

/// `magnum index`: makes and mends indexes.
struct IndexCommand {
  let options: IndexOptions
  let context: CommandContext

  var console: Console { context.console }

  static var command: CommandDefinition {
    CommandDefinition(
      "index",
      abstract: "Update or rebuild the search index.",
      discussion: "Without a directory the Maildirs of all accounts. See magnum-index(1).",
      initial: IndexOptions(),
      globals: [.config, .account, .json, .quiet],
      options: IndexOptions.table,
      operands: .atMostOne("directory", completion: .directories),
      check: { (options, line) throws(UsageMistake) in try options.check(line) },
      changes: { _, _ in false },
      run: { options, context in IndexCommand(options: options, context: context).run() }
    )
  }

  private func run() -> ExitStatus {
    Interruption.shared.watchSignals()
    do throws(Explanation) {
      if let directory = context.operands.first {
        return index(Path(argument: directory), directory, nil, IndexFilterSettings())
      }
      let configuration = try context.neededConfiguration(
        otherwise:
          "name a Maildir: magnum index DIRECTORY; or describe an account: see magnum-config(5)"
      )
      // The accounts that are named by `--account`, or all.
      let accounts = try configuration.accounts(named: context.globals.accounts)
      let filters = configuration.indexFilters
      return ExitStatus.mostSevere(
        of: accounts.flatMap { account in
          applyRules(of: configuration, to: account) {
            index(account.maildir, account.name, account.subjectThreading, filters)
          }
        }
      )
    } catch {
      return context.report(error)
    }
  }

  private func index(
    _ root: Path,
    _ name: String,
    _ subjects: SubjectThreading?,
    _ filters: IndexFilterSettings
  ) -> ExitStatus {
    context.reporting { () throws(Explanation) in try index(place(root), name, subjects, filters) }
  }

  private func place(_ root: Path) throws(Explanation) -> IndexPlace {
    do throws(SystemError) {
      return try IndexPlace.of(root)
    } catch {
      throw Explanation(.partial, error.description)
    }
  }

  private func index(
    _ place: IndexPlace,
    _ name: String,
    _ subjects: SubjectThreading?,
    _ filters: IndexFilterSettings
  ) throws(Explanation) -> ExitStatus {
    var index = SearchIndex(place)
    index.wait = options.wait
    index.subjects = options.subjectThreading ?? subjects
    index.progress = progress(name)
    let start = Clock.monotonicNanoseconds()
    // An index of nothing would only be in the way.
    let foreign = ForeignMail(below: place.root)
    if isWithoutFolders(place) {
      console.drawFooter([])
      if context.globals.json {
        console.print(octets: IndexLine(name, foreign: foreign.total).json.octets)
      }
      throw Explanation(
        .partial,
        place: name,
        "there is no Maildir in \(place.root.display)"
          + (foreign.total == 0 ? "" : ", but \(Self.words(foreign))"),
        hint: foreign.total == 0
          ? "a Maildir is a directory that holds the directories cur and new" : Self.importHint
      )
    }
    do throws(IndexError) {
      if options.check { return try check(index, name) }
      var report = IndexReport()
      if options.compact {
        try index.compact()
      } else if options.rebuild {
        report = try index.build()
      } else {
        report = try index.scan(options.scan ? .nothing : .fingerprints)
      }
      let texts = options.compact ? FilterReport() : try extract(filters, index, name)
      console.drawFooter([])
      for error in report.unreadable {
        context.report(place: name, error.description, hint: "the rest is indexed")
      }
      for error in report.failures {
        context.report(place: name, error.description, hint: "the next run tries again")
      }
      let others = report.failed - report.failures.count
      if others > 0 {
        let files = others == 1 ? "1 more file" : "\(others) more files"
        context.report(place: name, "\(files) cannot be read", hint: "the next run tries again")
      }
      reportFilters(texts, name)
      let seconds = Double(Clock.monotonicNanoseconds() - start) / 1e9
      let revision = try SearchSet(place).revision()
      say(
        line(report, texts, name, seconds),
        IndexLine(name, report, texts, seconds, revision: revision, foreign: foreign.total)
      )
      if foreign.total > 0, !context.globals.quiet {
        context.report(
          place: name,
          "not indexed, since it is in no Maildir: \(Self.words(foreign))",
          hint: Self.importHint
        )
      }
      if Interruption.shared.isRequested { throw IndexError.interrupted }
      let isWhole = report.failed == 0 && report.unreadable.isEmpty
      return isWhole ? .success : .partial
    } catch {
      console.drawFooter([])
      throw Explanation(error, place: name)
    }
  }

  private static func words(_ mail: ForeignMail) -> String {
    "\(mail.total) \(mail.total == 1 ? "file" : "files") of mail (\(mail.text))"
  }

  private static let importHint = "magnum import brings such mail into a folder"

  /// Has filters make text of attachments that is not in the index yet.
  private func extract(
    _ filters: IndexFilterSettings,
    _ index: SearchIndex,
    _ name: String
  ) throws(IndexError) -> FilterReport {
    var extraction = Extraction(index, filters, interruption: index.interruption)
    return try extraction.extractTexts { done, total in
      console.drawFooter([
        "\(name)  attachments of \(HumanFormat.count(done)) of \(HumanFormat.count(total)) messages"
      ])
    }
  }

  /// Reports what filters did not do: the mail is indexed all the same, so off a terminal it is said once, then once a day.
  private func reportFilters(_ texts: FilterReport, _ name: String) {
    let memory = problemMemory
    for (problem, explanation) in texts.problems(of: name) where memory.isDue(problem, of: name) {
      context.report(explanation)
    }
    memory.save()
  }

  /// A result for people or for programs.
  private func say(_ text: String, _ line: IndexLine) {
    if context.globals.json {
      console.print(octets: line.json.octets)
    } else if !context.globals.quiet {
      console.print(text)
    }
  }

  /// `work  +12 new  3 renamed  text of 2 attachments  0.4 s`.
  private func line(
    _ report: IndexReport,
    _ texts: FilterReport,
    _ name: String,
    _ seconds: Double
  ) -> String {
    var words: [String] = []
    if report.isMadeAnew { words.append("made anew for this version") }
    if report.added > 0 { words.append("+\(report.added) new") }
    if report.renamed > 0 { words.append("\(report.renamed) renamed") }
    if report.marked > 0 { words.append("\(report.marked) keywords") }
    if report.removed > 0 { words.append("-\(report.removed) removed") }
    if report.failed > 0 { words.append("\(report.failed) failed") }
    if texts.texts > 0 { words.append("text of \(texts.texts) attachments") }
    if texts.failed > 0 { words.append("\(texts.failed) attachments without text") }
    if words.isEmpty { words.append(options.compact ? "compacted" : "nothing new") }
    return "\(name)  \(words.joined(separator: "  "))  \(HumanFormat.seconds(seconds))"
  }

  /// Whether a directory holds no folder of mail, and never held one that is in an index.
  private func isWithoutFolders(_ place: IndexPlace) -> Bool {
    if place.hasIndex { return false }
    let tree = FolderTree(root: place.root, layout: .verbatim)
    let listing = try? tree.maildirs(passingOverUnreadable: true)
    return listing?.maildirs.isEmpty ?? false
  }

  private func progress(_ name: String) -> @Sendable (Int, Int) -> Void {
    { [console] done, total in
      console.drawFooter([
        "\(name)  \(HumanFormat.count(done)) of \(HumanFormat.count(total)) messages"
      ])
    }
  }

  private func check(_ index: SearchIndex, _ name: String) throws(IndexError) -> ExitStatus {
    let (faults, report) = try index.check()
    for line in report { console.writeNote("\(name): \(line)") }
    if faults > 0 {
      if context.globals.json {
        console.print(octets: IndexLine(name, isDamaged: true).json.octets)
      }
      context.report(
        place: name,
        "the index is damaged",
        hint: "make it anew: magnum index --rebuild"
      )
      return .partial
    }
    say("\(name)  no damage", IndexLine(name, isDamaged: false))
    return .success
  }
}
