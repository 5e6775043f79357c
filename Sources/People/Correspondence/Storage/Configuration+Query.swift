package import MailModel
package import Configuration
internal import Octets
internal import Platform
package import Query
internal import SearchIndex

extension Configuration {
  /// The query that a person typed, with the names that the configuration gives to queries.
  ///
  /// - Parameters:
  ///   - text: the query, as in magnum-query(7).
  ///   - now: what its dates count from, in seconds since 1970.
  /// - Returns: the query as a tree.
  /// - Throws: what is wrong with it, and where.
  package func query(_ text: String, now: Int64) throws(Explanation) -> Query {
    if let problem = Explanation(notUTF8: "query", text) { throw problem }
    do throws(QueryError) {
      let dates = DateContext(now: now) { LocalTime.offset(at: $0) }
      return try QueryParser.parse(Array(text.utf8), dates, names: NamedQueries(search.queries))
    } catch {
      throw Explanation(error, in: text)
    }
  }

  /// The query of a key of the configuration, which counts until the key is changed.
  ///
  /// - Parameters:
  ///   - text: the query.
  ///   - key: the key with all that stands above it: `agent.helper.read`.
  ///   - now: what its dates count from, in seconds since 1970.
  /// - Returns: the query as a tree.
  /// - Throws: a mistake in it, with the line; also a word that looks like a field and is none, or a name of files.
  package func query(
    _ text: QueryText,
    of key: String,
    now: Int64
  ) throws(Explanation) -> Query {
    let place = place(ofLine: text.line)
    let query = try reading(key, at: place) { () throws(Explanation) in
      try self.query(text.text, now: now)
    }
    guard !query.namesFiles else {
      throw Explanation(
        .configuration,
        place: place,
        "\(key): file:, lastmod: and the directories cur and new mean nothing here",
        hint: "name folders: folder:INBOX"
      )
    }
    if let field = UnknownField.all(in: Array(text.text.utf8)).first {
      throw Explanation(field, in: key, place)
    }
    return query
  }

  /// The file with a line of it, as mistakes name it.
  package func place(ofLine line: Int?) -> String {
    path.display + (line.map { ":\($0)" } ?? "")
  }

  /// Reads the value of a key as a command reads its argument.
  ///
  /// - Throws: the same mistake as there, which names the key and its place.
  package func reading<Value>(
    _ key: String,
    at place: String,
    _ read: () throws(Explanation) -> Value
  ) throws(Explanation) -> Value {
    do throws(Explanation) {
      return try read()
    } catch {
      var mistake = error
      (mistake.status, mistake.place) = (.configuration, place)
      mistake.what = "\(key): \(error.what)"
      throw mistake
    }
  }
}

extension Explanation {
  /// That a word looks like a field and is none: as a word it would find, or protect, something else.
  fileprivate init(_ field: UnknownField, in key: String, _ place: String) {
    let near = Suggestion.nearest(to: field.name, among: UnknownField.known).map { "\($0):" }
    let meant = (field.meaning ?? near).map { "did you mean \($0)?" }
    let shown = Printable.text(field.name.utf8, limit: 40)
    self.init(
      .configuration,
      place: place,
      "\(key): \"\(shown):\" is no field",
      hint: meant ?? "magnum-query(7) lists the fields; write the word in quotes if you mean it"
    )
  }
}

extension Query {
  /// Whether it asks for files or revisions, by which no mail is described for long.
  fileprivate var namesFiles: Bool {
    switch self {
    case .exact(.file, _), .revision: true
    case .exact(.path, let path): FolderWords.namesSubdirectory(path)
    case .and(let parts), .or(let parts), .xor(let parts): parts.contains { $0.namesFiles }
    case .not(let part), .thread(let part): part.namesFiles
    default: false
    }
  }
}
