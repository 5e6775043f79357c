package import MIME
internal import Octets
internal import Platform
package import Query

/// A mailing list that messages came through.
package struct FoundList: Sendable {
  /// Its id, in lower case.
  package let id: [UInt8]
  /// How many of the messages came through it.
  package let count: Int
  /// The newest of them.
  package let newest: FoundMessage
  /// What the newest says of how it is left, which is not verified; nil for nothing.
  package let offer: UnsubscribeOffer?
}

extension SearchSet {
  /// The mailing lists of what a query finds, that of the newest message first.
  ///
  /// The index has names and titles of lists among their ids: the newest message of each tells which is an id.
  /// - Throws: why an index cannot be read.
  package func lists(_ query: Query) throws(IndexError) -> [FoundList] {
    let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }
    var lists: [FoundList] = []
    for word in try listWords().sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let own = Query.and([query, .exact(.list, word)])
      guard let newest = try messages(own, .newestFirst, limit: 1).first,
        let header = newest.currentPath().flatMap({ Header(ofFile: $0) }),
        header.listID(decoder) == word
      else { continue }
      lists.append(
        FoundList(
          id: word,
          count: try count(own),
          newest: newest,
          offer: UnsubscribeOffer(header, nil, isJunk: false)
        )
      )
    }
    return lists.sorted { $0.newest.date > $1.newest.date }
  }

  private func listWords() throws(IndexError) -> Set<[UInt8]> {
    var words: Set<[UInt8]> = []
    for reader in readers {
      words.formUnion(
        try reader.read { (snapshot) throws(IndexError) in try snapshot.listWords() }
      )
    }
    return words
  }
}
