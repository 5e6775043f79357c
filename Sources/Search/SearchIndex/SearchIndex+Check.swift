internal import Platform

extension SearchIndex {
  /// Looks for damage: how many faults there are, and words about them.
  ///
  /// Besides the library's own check, what is kept of each message is compared with what finds it.
  ///
  /// - Throws: `notThere`, and what the system says.
  package func check() throws(IndexError) -> (faults: Int, report: [String]) {
    let generation = Generation(place.generation(try currentGeneration()))
    let (database, parts) = try generation.openParts()
    var report: [String] = []
    for path in [generation.path] + generation.paths(parts) {
      let (faults, words) = try XapianDatabase.check(path)
      if faults > 0 { report.append(String(decoding: words, as: UTF8.self)) }
    }
    var check = try RecordCheck(database)
    try check.checkRecords()
    report += check.report
    return (report.count, report)
  }
}
