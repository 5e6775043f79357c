internal import CXapian
internal import Glibc
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

/// Terms or keys in ascending order, or values of keys or documents in the order of these, in one piece of memory, since there may
/// be millions of them.
struct TermList: RandomAccessCollection {
  private let octets: [UInt8]
  /// Where each begins in ``octets``, behind its length.
  private let starts: [UInt32]

  /// No terms.
  init() {
    octets = []
    starts = []
  }

  /// The terms that the library gives: each behind its length in two octets.
  init(_ given: UnsafeRawBufferPointer) {
    var starts: [UInt32] = []
    var place = 0
    while place + 2 <= given.count {
      starts.append(UInt32(place))
      place += 2 + Int(given.loadUnaligned(fromByteOffset: place, as: UInt16.self))
    }
    octets = Array(given)
    self.starts = starts
  }

  var startIndex: Int { 0 }
  var endIndex: Int { starts.count }

  subscript(place: Int) -> [UInt8] { Array(octets[bounds(place)]) }

  /// What a body makes of the octets at a place, which are good within it.
  func read<Result>(_ place: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    octets.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[bounds(place)])) }
  }

  private func bounds(_ place: Int) -> Range<Int> {
    let end = place + 1 < starts.count ? Int(starts[place + 1]) : octets.count
    return Int(starts[place]) + 2..<end
  }

  /// The place of a term among terms that are in the order of their octets; nil where it is not there.
  func place(of term: [UInt8]) -> Int? { term.withUnsafeBytes { place(of: $0) } }

  /// The same.
  func place(of term: UnsafeRawBufferPointer) -> Int? {
    octets.withUnsafeBytes { octets in
      starts.withUnsafeBufferPointer { starts in
        var (low, high) = (0, starts.count)
        while low < high {
          let middle = (low + high) / 2
          let end = middle + 1 < starts.count ? Int(starts[middle + 1]) : octets.count
          let found = UnsafeRawBufferPointer(rebasing: octets[Int(starts[middle]) + 2..<end])
          switch Self.order(found, term) {
          case 0: return middle
          case ..<0: low = middle + 1
          default: high = middle
          }
        }
        return nil
      }
    }
  }

  /// Less than 0 where the first comes before the second, 0 where they are the same.
  private static func order(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    guard let first = one.baseAddress, let second = other.baseAddress else {
      return one.count - other.count
    }
    let found = memcmp(first, second, Swift.min(one.count, other.count))
    return found == 0 ? one.count - other.count : Int(found)
  }
}
