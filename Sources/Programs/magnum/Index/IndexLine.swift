internal import Configuration
internal import SearchIndex
internal import Terminal

/// What became of an index, for a program.
struct IndexLine {
  private let name: String
  private let report: IndexReport
  private let texts: FilterReport
  private let seconds: Double
  /// How far the index has come; nil where that is not known.
  private let revision: IndexRevision?
  /// Whether a check has found damage; nil where nothing was checked.
  private let isDamaged: Bool?
  /// How many files of mail lie in no Maildir.
  private let foreign: Int

  /// - Parameters:
  ///   - name: the account, or the directory that was named.
  ///   - report: what has changed.
  ///   - texts: what filters made of attachments.
  ///   - seconds: how long it took.
  ///   - revision: how far the index has come; nil where that is not known.
  ///   - isDamaged: what a check has found; nil for none.
  ///   - foreign: how many files of mail lie in no Maildir, and so are not indexed.
  init(
    _ name: String,
    _ report: IndexReport = IndexReport(),
    _ texts: FilterReport = FilterReport(),
    _ seconds: Double = 0,
    revision: IndexRevision? = nil,
    isDamaged: Bool? = nil,
    foreign: Int = 0
  ) {
    self.name = name
    self.report = report
    self.texts = texts
    self.seconds = seconds
    self.revision = revision
    self.isDamaged = isDamaged
    self.foreign = foreign
  }

  /// What rules did with the new mail of an account, in a line of its own: it comes after the index.
  static func sorted(_ name: String, _ messages: Int, _ rules: [String]) -> JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("name", name)
    line.add("sorted", messages)
    line.add("rules", rules)
    return line
  }

  var json: JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("name", name)
    if let isDamaged {
      line.add("damaged", isDamaged)
      return line
    }
    line.add("added", report.added)
    line.add("renamed", report.renamed)
    line.add("removed", report.removed)
    line.add("keywords", report.marked)
    line.add("failed", report.failed)
    line.add("texts", texts.texts)
    line.add("without-text", texts.failed)
    line.add("seconds", seconds)
    if foreign > 0 { line.add("not-maildir", foreign) }
    if let revision {
      line.add("uuid", revision.uuid)
      line.add("lastmod", Int(clamping: revision.number))
    }
    return line
  }
}
