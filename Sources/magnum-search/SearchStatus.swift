/// How magnum-search ends; the numbers are a promise to scripts.
enum SearchStatus {
  /// Answered, though perhaps nothing was found.
  static let success: Int32 = 0
  /// An index could not be read.
  static let failure: Int32 = 1
  /// Nothing was found, and the caller wanted to know.
  static let empty: Int32 = 2
  /// The query is wrong (EX_DATAERR).
  static let query: Int32 = 65
  /// Standard output could not be written (EX_IOERR).
  static let output: Int32 = 74
  /// The index is being changed too fast, or another program holds its lock (EX_TEMPFAIL).
  static let tryAgain: Int32 = 75
  /// The configuration is wrong (EX_CONFIG).
  static let configuration: Int32 = 78
}
