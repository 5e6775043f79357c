internal import Octets

/// What mbsync and offlineimap write into the base names of files.
enum ForeignMarks {
  /// A base name without the UIDs of both and offlineimap's digest of the folder.
  static func removed(from base: [UInt8]) -> [UInt8] {
    let fields = base.split(separator: ASCII.comma, omittingEmptySubsequences: false)
    return Array(fields.filter { !isMark($0) }.joined(separator: [ASCII.comma]))
  }

  private static func isMark(_ field: ArraySlice<UInt8>) -> Bool {
    field.starts(with: "FMD5=".utf8)
      || field.starts(with: "U=".utf8) && field.dropFirst(2).allSatisfy(ASCII.isDigit)
  }
}
