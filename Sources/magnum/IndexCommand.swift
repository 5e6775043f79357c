internal import Configuration
internal import MailModel
internal import Maildir
internal import Platform
internal import SearchIndex
internal import Terminal
internal import Threads

/// What `magnum index` does between its options and its exit status.
struct IndexCommand {
  private let options: IndexSubcommand
  private let console = Console()

  init(_ options: IndexSubcommand) {
    self.options = options
  }

  /// Runs, and gives the status to exit with; does not return when a signal ended the run.
  func run() -> ExitStatus {
    Signals.ignoreBrokenPipe()
    Interruption.shared.watchSignals()
    let status = indexAll()
    let lost = console.finish()
    if Interruption.shared.isRequested {
      FaultPoint.writeCount()
      Interruption.shared.endProcess()
    }
    return lost == nil ? status : ExitStatus.gravest(of: [status, .output])
  }

  private func indexAll() -> ExitStatus {
    if let directory = options.directory { return index(Path(directory), directory, nil) }
    do throws(ConfigurationError) {
      let configuration = try Configuration.load(explicit: options.global.path)
      return ExitStatus.gravest(
        of: configuration.accounts.map { account in
          index(account.maildir, account.name, account.subjectThreading)
        }
      )
    } catch {
      report(IndexFailure(error))
      return .configuration
    }
  }

  private func index(
    _ root: Path,
    _ name: String,
    _ subjects: SubjectThreading?
  ) -> ExitStatus {
    do throws(IndexFailure) {
      return try index(place(root), name, subjects)
    } catch {
      report(error)
      return error.status
    }
  }

  private func place(_ root: Path) throws(IndexFailure) -> IndexPlace {
    do throws(SystemError) { return try IndexPlace.of(root) } catch { throw IndexFailure(error) }
  }

  private func index(
    _ place: IndexPlace,
    _ name: String,
    _ subjects: SubjectThreading?
  ) throws(IndexFailure) -> ExitStatus {
    var index = SearchIndex(place)
    index.wait = options.wait
    index.subjects = options.subjectThreading ?? subjects
    index.progress = progress(name)
    let start = Clock.monotonicNanoseconds()
    do throws(IndexError) {
      if options.check { return try check(index, name) }
      var report = IndexReport()
      if options.compact {
        try index.compact()
      } else if options.rebuild {
        report = try index.build()
      } else {
        report = try index.scan(options.scan ? .nothing : .stamps)
      }
      console.drawFooter([])
      if !options.quiet { console.print(line(report, name, place.root, since: start)) }
      return report.failed == 0 ? .success : .partial
    } catch {
      console.drawFooter([])
      throw IndexFailure(error, name)
    }
  }

  /// `work  +12 new  3 renamed  0.4 s`.
  private func line(
    _ report: IndexReport,
    _ name: String,
    _ root: Path,
    since start: Int64
  ) -> String {
    var words: [String] = []
    if report.added > 0 { words.append("+\(report.added) new") }
    if report.renamed > 0 { words.append("\(report.renamed) renamed") }
    if report.marked > 0 { words.append("\(report.marked) keywords") }
    if report.removed > 0 { words.append("-\(report.removed) removed") }
    if report.failed > 0 { words.append("\(report.failed) failed") }
    if words.isEmpty {
      let nothing = isWithoutFolders(root) ? "no Maildir in it" : "nothing new"
      words.append(options.compact ? "compacted" : nothing)
    }
    let seconds = Double(Clock.monotonicNanoseconds() - start) / 1e9
    return "\(name)  \(words.joined(separator: "  "))  \(HumanFormat.seconds(seconds))"
  }

  /// Whether a directory holds no folder of mail: perhaps another one was meant.
  private func isWithoutFolders(_ root: Path) -> Bool {
    let listing = try? FolderTree(root: root, layout: .verbatim).maildirs()
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
    for line in report { console.note("\(name): \(line)") }
    if faults > 0 {
      console.report(
        Diagnostic(
          program: "magnum index",
          place: name,
          what: "the index is damaged",
          hint: "make it anew: magnum index --rebuild"
        )
      )
      return .partial
    }
    if !options.quiet { console.print("\(name)  no damage") }
    return .success
  }

  private func report(_ failure: IndexFailure) {
    console.report(failure.diagnostic)
  }
}
