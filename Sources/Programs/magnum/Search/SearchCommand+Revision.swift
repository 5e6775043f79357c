internal import CommandLine
internal import MailModel
internal import Octets
internal import SearchIndex
internal import Terminal

/// Counts with the revision of the index, as front ends ask for them.
extension SearchCommand {
  /// Refuses an index other than the one that is meant.
  func checkIdentity(of set: SearchSet) throws(Explanation) {
    guard let uuid = options.uuid else { return }
    let found = try revision(of: set).uuid
    guard found != uuid.lowercased() else { return }
    throw Explanation(
      .partial,
      place: "index",
      "its UUID is \(found), not \(Printable.text(uuid.utf8, limit: 60))",
      hint: "it was made anew: revisions of before mean nothing any more"
    )
  }

  /// How far the index has come.
  func revision(of set: SearchSet) throws(Explanation) -> IndexRevision {
    do throws(IndexError) {
      if let revision = try set.revision() { return revision }
    } catch {
      throw Explanation(error)
    }
    throw Explanation(
      .usage,
      "several Maildirs have no revision in common",
      hint: "name one with --account or --maildir"
    )
  }

  /// Prints how many results there are, and the revision where it is wanted.
  func print(_ count: Int, _ revision: IndexRevision?) {
    guard let revision else { return context.console.print("\(count)") }
    guard options.format.isStructured else {
      return context.console.print("\(count)\t\(revision.uuid)\t\(revision.number)")
    }
    var line = JSONLine()
    line.add("count", count)
    line.add("uuid", revision.uuid)
    line.add("lastmod", revision.number)
    line.add("version", ResultWords.version)
    let isForEmacs = options.format == .sexp
    context.console.print(octets: isForEmacs ? SexpText.of(json: line.octets) : line.octets)
  }
}
