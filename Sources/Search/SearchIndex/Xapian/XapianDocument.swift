internal import CXapian
internal import Query

/// A document of the library.
final class XapianDocument {
  let handle: OpaquePointer

  /// A new one.
  init() throws(IndexError) {
    handle = try XapianCall.made { magnum_index_document_new($0) }
  }

  /// One that is in a database; what is not touched is not even read.
  init(_ number: UInt32, of database: XapianDatabase) throws(IndexError) {
    handle = try XapianCall.made { magnum_index_document_load(database.handle, number, $0) }
  }

  deinit {
    magnum_index_document_free(handle)
  }

  func add(_ term: [UInt8]) throws(IndexError) {
    try XapianCall.check { magnum_index_document_add_term(handle, term, term.count, $0) }
  }

  /// Takes a term away; it need not be there.
  func remove(_ term: [UInt8]) throws(IndexError) {
    try XapianCall.check { magnum_index_document_remove_term(handle, term, term.count, $0) }
  }

  /// Adds words behind a position, which becomes that of the last one.
  func add(
    _ words: WordList,
    _ prefix: UInt8,
    hasPositions: Bool,
    _ position: inout UInt32
  ) throws(IndexError) {
    try XapianCall.check { error in
      magnum_index_document_add_words(
        handle,
        CChar(bitPattern: prefix),
        words.octets,
        words.octets.count,
        hasPositions,
        &position,
        error
      )
    }
  }

  func set(_ slot: UInt32, _ value: [UInt8]) throws(IndexError) {
    try XapianCall.check { magnum_index_document_set_value(handle, slot, value, value.count, $0) }
  }

  func setData(_ data: [UInt8]) throws(IndexError) {
    try XapianCall.check { magnum_index_document_set_data(handle, data, data.count, $0) }
  }
}
