internal import CXapian
internal import Glibc
internal import Platform

/// A database of the library, open for reading or for writing; for one thread at a time.
///
/// It may have smaller ones of later documents beside it (``join(_:_:)``), its parts; see ``Generation``.
final class XapianDatabase {
  let handle: OpaquePointer
  /// Where it is made, if it is one that is made anew; nil for one that is there.
  private let place: Path?

  /// - Throws: why it cannot be opened.
  init(_ path: Path, _ mode: magnum_index_mode = MAGNUM_INDEX_READ) throws(IndexError) {
    place = mode == MAGNUM_INDEX_DISPOSABLE ? path : nil
    if let place { try Self.checkRoom(at: place.parent) }
    try Self.checkFiles(in: path)
    handle = try XapianCall.made { error in path.withCString { magnum_index_open($0, mode, error) }
    }
  }

  /// The library opens files by itself, and would wait for a pipe that bears the name of one; what is missing it finds out.
  private static func checkFiles(in path: Path) throws(IndexError) {
    var isOdd = false
    _ = try? FileSystem.entries(of: path) { _, kind in
      if kind == .symbolicLink || kind == .other { isOdd = true }
    }
    if isOdd { throw .system(SystemError(notAFile: path)) }
  }

  /// One to write to, opened under the writer's lock.
  ///
  /// A process that another thread has just started has a copy of the library's own lock until it becomes another
  /// program; that is waited for.
  ///
  /// - Throws: why it cannot be opened.
  static func writable(_ path: Path) throws(IndexError) -> XapianDatabase {
    let deadline = Deadline.after(seconds: 2)
    while true {
      do throws(IndexError) {
        return try XapianDatabase(path, MAGNUM_INDEX_WRITE)
      } catch {
        guard case .locked = error, !deadline.isPast else { throw error }
      }
      usleep(5000)
    }
  }

  deinit {
    magnum_index_close(handle)
  }

  /// Adds the database at a path as the newest part; opened for writing, it is made where there is none.
  func join(_ path: Path, _ mode: magnum_index_mode = MAGNUM_INDEX_READ) throws(IndexError) {
    try Self.checkFiles(in: path)
    try XapianCall.check { error in
      path.withCString { magnum_index_join(handle, $0, mode, error) }
    }
  }

  /// Parts with the newest part, of which nothing is written.
  func partWithNewest() throws(IndexError) {
    try XapianCall.check { magnum_index_part_with_newest(handle, $0) }
  }

  /// Goes on to the newest version of the main database; false where this is it.
  func reopen() throws(IndexError) -> Bool {
    var isChanged = false
    try XapianCall.check { magnum_index_reopen(handle, &isChanged, $0) }
    return isChanged
  }

  /// How many parts there are; the main one is number 0.
  var partCount: Int { magnum_index_part_count(handle) }

  /// Whether anything of a part was changed.
  func isChanged(part: Int) -> Bool { magnum_index_is_changed(handle, part) }

  /// How many documents the newest part has.
  func newestCount() throws(IndexError) -> UInt32 {
    var count: UInt32 = 0
    try XapianCall.check { magnum_index_newest_count(handle, &count, $0) }
    return count
  }

  /// How many documents there are, and the greatest number of one.
  func counts() throws(IndexError) -> (count: UInt32, last: UInt32) {
    var result: (count: UInt32, last: UInt32) = (0, 0)
    try XapianCall.check { magnum_index_count(handle, &result.count, &result.last, $0) }
    return result
  }

  /// How many documents have a term.
  func frequency(_ term: [UInt8]) throws(IndexError) -> UInt32 {
    var result: UInt32 = 0
    try XapianCall.check { magnum_index_frequency(handle, term, term.count, &result, $0) }
    return result
  }

  /// The documents that have a term, in ascending order; all for the empty one.
  func postings(_ term: [UInt8]) throws(IndexError) -> [UInt32] {
    try XapianCall.numbers { magnum_index_postings(handle, term, term.count, $0, $1) }
  }

  /// The terms that begin so, in ascending order.
  func terms(_ prefix: [UInt8], limit: Int = .max) throws(IndexError) -> [[UInt8]] {
    try XapianCall.terms { magnum_index_terms(handle, prefix, prefix.count, limit, $0, $1) }
  }

  /// The terms of a document that begin so.
  func terms(of document: UInt32, _ prefix: [UInt8]) throws(IndexError) -> [[UInt8]] {
    try XapianCall.terms {
      magnum_index_document_terms(handle, document, prefix, prefix.count, $0, $1)
    }
  }

  /// What is kept with a document.
  func data(_ document: UInt32) throws(IndexError) -> [UInt8] {
    try XapianCall.octets { magnum_index_data(handle, document, $0, $1) }
  }

  /// A value of a document; empty where it has none.
  func value(_ document: UInt32, _ slot: UInt32) throws(IndexError) -> [UInt8] {
    try XapianCall.octets { magnum_index_value(handle, document, slot, $0, $1) }
  }

  /// The values of documents, whose numbers are in ascending order; empty where one has none.
  func values(_ documents: [UInt32], _ slot: UInt32) throws(IndexError) -> TermList {
    try XapianCall.termList {
      magnum_index_values(handle, documents, documents.count, slot, $0, $1)
    }
  }

  /// How many documents have a value in a slot.
  func frequency(ofSlot slot: UInt32) throws(IndexError) -> UInt32 {
    var result: UInt32 = 0
    try XapianCall.check { magnum_index_value_frequency(handle, slot, &result, $0) }
    return result
  }

  /// The documents that have a value in a slot, in ascending order.
  func documents(withSlot slot: UInt32) throws(IndexError) -> [UInt32] {
    try XapianCall.numbers { magnum_index_valued(handle, slot, $0, $1) }
  }

  /// What is kept under a key, in the newest part unless another one is named; empty where nothing is.
  func metadata(
    _ key: String,
    _ part: magnum_index_part = MAGNUM_INDEX_NEWEST
  ) throws(IndexError) -> [UInt8] {
    try XapianCall.octets { magnum_index_metadata(handle, part, key, $0, $1) }
  }

  /// The keys that begin so, each once, in the order of their octets.
  func keys(_ prefix: [UInt8]) throws(IndexError) -> TermList {
    try XapianCall.termList { keys, error in
      Path(prefix).withCString { magnum_index_metadata_keys(handle, $0, keys, error) }
    }
  }

  /// Keeps something under a key, in the newest part unless another one is named.
  func setMetadata(
    _ key: String,
    _ value: [UInt8],
    _ part: magnum_index_part = MAGNUM_INDEX_NEWEST
  ) throws(IndexError) {
    try XapianCall.check { magnum_index_set_metadata(handle, part, key, value, value.count, $0) }
  }

  func begin() throws(IndexError) {
    try XapianCall.check { magnum_index_begin(handle, $0) }
  }

  /// Makes all changes of the main database since ``begin()`` visible and durable, or none.
  func commit() throws(IndexError) {
    FaultPoint.pass("index commit before")
    try XapianCall.check { magnum_index_commit(handle, $0) }
    FaultPoint.pass("index commit after")
  }

  /// Forgets all changes of the main database since ``begin()``.
  func cancel() {
    try? XapianCall.check { magnum_index_cancel(handle, $0) }
  }

  /// Writes what was changed without ``begin()``: in all parts except the main one; without others, in that.
  func flush() throws(IndexError) {
    if let place { try Self.checkRoom(at: place) }
    FaultPoint.pass("index flush before")
    try XapianCall.check { magnum_index_flush(handle, $0) }
    FaultPoint.pass("index flush after")
  }

  @discardableResult
  func add(_ document: XapianDocument) throws(IndexError) -> UInt32 {
    var number: UInt32 = 0
    try XapianCall.check { magnum_index_add(handle, document.handle, &number, $0) }
    return number
  }

  func replace(_ number: UInt32, _ document: XapianDocument) throws(IndexError) {
    try XapianCall.check { magnum_index_replace(handle, number, document.handle, $0) }
  }

  func delete(_ number: UInt32) throws(IndexError) {
    try XapianCall.check { magnum_index_delete(handle, number, $0) }
  }

  /// Checks that there is room for a new database: on a full disk the library ends the process instead of reporting an error.
  ///
  /// - Throws: `full`.
  private static func checkRoom(at place: Path) throws(IndexError) {
    guard let free = try? FileSystem.freeOctets(at: place, withReserve: true), free < 1 << 20
    else { return }
    throw .full("less than 1 MiB is left")
  }

  /// Makes one compact database of several; their documents are numbered anew, in their order.
  static func compact(_ paths: [Path], to output: Path) throws(IndexError) {
    try checkRoom(at: output.parent)
    let names = paths.map { $0.octets.map { CChar(bitPattern: $0) } + [0] }
    let storage = names.flatMap { $0 }
    try storage.withUnsafeBufferPointer { (buffer) throws(IndexError) in
      var pointers: [UnsafePointer<CChar>?] = []
      var offset = 0
      for name in names {
        pointers.append(buffer.baseAddress?.advanced(by: offset))
        offset += name.count
      }
      try XapianCall.check { error in
        output.withCString { magnum_index_compact(pointers, pointers.count, $0, error) }
      }
    }
  }

  /// Makes the parts from one on a compact database, in which every document keeps its number.
  ///
  /// Of what several of them keep under a key, one is kept.
  func compact(from part: Int = 0, to output: Path) throws(IndexError) {
    try Self.checkRoom(at: output.parent)
    FaultPoint.pass("index compaction before")
    try XapianCall.check { error in
      output.withCString { magnum_index_compact_parts(handle, part, $0, error) }
    }
    FaultPoint.pass("index compaction after")
  }

  /// Looks for damage: how many faults there are, and the library's words.
  static func check(_ path: Path) throws(IndexError) -> (faults: Int, report: [UInt8]) {
    var faults = 0
    let report = try XapianCall.octets { report, error in
      path.withCString { magnum_index_check($0, &faults, report, error) }
    }
    return (faults, report)
  }
}
