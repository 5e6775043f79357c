internal import CXapian

/// The way to the library: failures become errors, what it gives becomes arrays.
enum XapianCall {
  /// A call that succeeds or fills an error.
  static func check(
    _ call: (UnsafeMutablePointer<magnum_index_error>) -> Bool
  ) throws(IndexError) {
    var error = magnum_index_error()
    guard call(&error) else { throw IndexError(error) }
  }

  /// A call that makes something or fills an error.
  static func made(
    _ call: (UnsafeMutablePointer<magnum_index_error>) -> OpaquePointer?
  ) throws(IndexError) -> OpaquePointer {
    var error = magnum_index_error()
    guard let result = call(&error) else { throw IndexError(error) }
    return result
  }

  /// A call that gives octets or fills an error.
  static func octets(
    _ call: (UnsafeMutablePointer<magnum_index_octets>, UnsafeMutablePointer<magnum_index_error>) ->
      Bool
  ) throws(IndexError) -> [UInt8] {
    try read(call) { Array($0) }
  }

  /// A call that gives document numbers or fills an error.
  static func numbers(
    _ call: (UnsafeMutablePointer<magnum_index_octets>, UnsafeMutablePointer<magnum_index_error>) ->
      Bool
  ) throws(IndexError) -> [UInt32] {
    try read(call) { bytes in
      stride(from: 0, to: bytes.count - 3, by: 4).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self)
      }
    }
  }

  /// A call that gives terms in ascending order, or values in that of their documents, or fills an error.
  static func termList(
    _ call: (UnsafeMutablePointer<magnum_index_octets>, UnsafeMutablePointer<magnum_index_error>) ->
      Bool
  ) throws(IndexError) -> TermList {
    try read(call) { TermList($0) }
  }

  /// A call that gives terms in ascending order and what goes with each of them, or fills an error.
  static func termLists(
    _ call: (
      UnsafeMutablePointer<magnum_index_octets>, UnsafeMutablePointer<magnum_index_octets>,
      UnsafeMutablePointer<magnum_index_error>
    ) -> Bool
  ) throws(IndexError) -> (terms: TermList, values: TermList) {
    var values = magnum_index_octets()
    defer { magnum_index_octets_free(values) }
    let terms = try termList { call($0, &values, $1) }
    return (terms, TermList(UnsafeRawBufferPointer(start: values.data, count: values.size)))
  }

  /// A call that gives terms or fills an error.
  static func terms(
    _ call: (UnsafeMutablePointer<magnum_index_octets>, UnsafeMutablePointer<magnum_index_error>) ->
      Bool
  ) throws(IndexError) -> [[UInt8]] {
    Array(try termList(call))
  }

  private static func read<Result>(
    _ call: (UnsafeMutablePointer<magnum_index_octets>, UnsafeMutablePointer<magnum_index_error>) ->
      Bool,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(IndexError) -> Result {
    var given = magnum_index_octets()
    try check { call(&given, $0) }
    defer { magnum_index_octets_free(given) }
    return body(UnsafeRawBufferPointer(start: given.data, count: given.size))
  }
}
