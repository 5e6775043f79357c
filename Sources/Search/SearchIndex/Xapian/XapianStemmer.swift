internal import CXapian

/// Knows which words are forms of one.
final class XapianStemmer {
  private let handle: OpaquePointer

  /// - Throws: where the language is not known.
  init(_ language: String) throws(IndexError) {
    handle = try XapianCall.made { magnum_index_stemmer_new(language, $0) }
  }

  deinit {
    magnum_index_stemmer_free(handle)
  }

  /// The terms of a field that are forms of a word.
  func forms(
    of word: [UInt8],
    _ prefix: UInt8,
    _ database: XapianDatabase
  ) throws(IndexError) -> [[UInt8]] {
    try XapianCall.terms {
      magnum_index_forms(
        database.handle,
        handle,
        CChar(bitPattern: prefix),
        word,
        word.count,
        $0,
        $1
      )
    }
  }
}
