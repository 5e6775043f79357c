internal import CXapian
internal import Maildir
internal import Platform

extension XapianDatabase {
  /// The documents that a query finds.
  ///
  /// - Parameters:
  ///   - query: made with this database.
  ///   - order: by date.
  ///   - collapse: a slot; only the first of those with the same value there is given.
  ///   - offset: how many to leave out.
  ///   - limit: how many to give.
  /// - Returns: the numbers of the documents, in that order.
  /// - Throws: why the database cannot be read.
  func search(
    _ query: XapianQuery,
    order: magnum_index_order,
    collapse: UInt32? = nil,
    offset: Int = 0,
    limit: Int = .max
  ) throws(IndexError) -> [UInt32] {
    try XapianCall.numbers {
      magnum_index_search(
        handle,
        query.handle,
        order,
        Schema.Slot.date,
        collapse.map { Int64($0) } ?? -1,
        UInt32(clamping: offset),
        UInt32(clamping: limit),
        $0,
        $1
      )
    }
  }

  /// How many documents a query finds; of those with the same value in a slot, one counts.
  func count(_ query: XapianQuery, collapse: UInt32? = nil) throws(IndexError) -> Int {
    var result: UInt32 = 0
    try XapianCall.check {
      magnum_index_search_count(
        handle,
        query.handle,
        collapse.map { Int64($0) } ?? -1,
        &result,
        $0
      )
    }
    return Int(result)
  }

  /// The document of the file of a key; nil where none is kept.
  func document(_ key: [UInt8]) throws(IndexError) -> UInt32? { try entry(key)?.document }

  /// What is kept under the key of a file; nil where nothing is.
  func entry(_ key: [UInt8]) throws(IndexError) -> FileEntry? {
    FileEntry(
      try XapianCall.octets { octets, error in
        Path(key).withCString { magnum_index_metadata(handle, MAGNUM_INDEX_ANY, $0, octets, error) }
      }
    )
  }

  /// What is kept of the files whose keys begin so, each once.
  func entries(_ prefix: [UInt8]) throws(IndexError) -> FileEntries {
    let (keys, values) = try XapianCall.termLists { keys, values, error in
      Path(prefix).withCString { magnum_index_metadata_entries(handle, $0, keys, values, error) }
    }
    return FileEntries(keys, values)
  }

  /// Keeps something under the key of a file; nil forgets the key.
  func set(_ key: [UInt8], to entry: FileEntry?) throws(IndexError) {
    let value = entry?.octets ?? []
    try XapianCall.check { error in
      Path(key).withCString { key in
        guard let document = entry?.document else {
          return magnum_index_set_metadata(handle, MAGNUM_INDEX_ANY, key, value, 0, error)
        }
        return magnum_index_set_document_key(handle, key, document, value, value.count, error)
      }
    }
  }

  /// The documents with a file of a base name in a folder, whatever its flags are.
  func documents(of base: [UInt8], in folder: Int) throws(IndexError) -> Set<UInt32> {
    var found: Set<UInt32> = []
    for sub in [UInt8(ascii: "c"), UInt8(ascii: "n")] {
      for key in try keys(Schema.paths(in: folder) + [sub] + Schema.uncut(base)) {
        guard let number = try document(key), !found.contains(number) else { continue }
        let files = try Record(data(number)).files
        if files.contains(where: { $0.folder == folder && $0.scanned.name.base == base }) {
          found.insert(number)
        }
      }
    }
    return found
  }
}
