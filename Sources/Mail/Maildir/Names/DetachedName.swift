internal import Octets
package import Platform

/// The names of files that were on a server once, which has them no more, and that are kept.
///
/// The mark goes where the file goes: such a file is uploaded nowhere, even where all that is recorded is lost.
package enum DetachedName {
  private static let mark = Array("detached".utf8)

  /// The base name with the mark: `1700000000.V17U5.0123456789abcdef,S=1234,W=1260,detached`.
  package static func base(_ name: [UInt8]) -> [UInt8] {
    isOne(name) ? name : name + [ASCII.comma] + mark
  }

  /// The same with a number, 2 or above, for another file of that name.
  package static func base(_ name: [UInt8], number: Int) -> [UInt8] {
    base(original(of: name)) + [ASCII.underscore] + Array(decimal: number)
  }

  /// The base name without the mark.
  package static func original(of name: [UInt8]) -> [UInt8] {
    let fields = name.split(separator: ASCII.comma, omittingEmptySubsequences: false)
    let others = fields.prefix(1) + fields.dropFirst().filter { !isMark($0) }
    return Array(others.joined(separator: [ASCII.comma]))
  }

  /// Whether a base name has the mark.
  package static func isOne(_ base: [UInt8]) -> Bool {
    guard base.contains(ASCII.comma) else { return false }
    return base.split(separator: ASCII.comma, omittingEmptySubsequences: false)
      .dropFirst().contains(where: isMark)
  }

  /// A number may stand behind it that tells two files of one name apart.
  private static func isMark(_ field: ArraySlice<UInt8>) -> Bool {
    guard field.starts(with: mark) else { return false }
    let rest = field.dropFirst(mark.count)
    return rest.isEmpty || rest.first == ASCII.underscore
  }
}

/// Gives a file the name of one that the server lost and that is kept.
package enum DetachedFile {
  /// More copies of one message than there are in any folder.
  private static let numberLimit = 1000

  /// Renames it in its directory, under a number where another file has that name; durable once the directory is.
  ///
  /// - Returns: the file as it is now.
  /// - Throws: why it cannot be renamed, such as that it is gone.
  package static func mark(
    _ file: ScannedFile,
    in maildir: Path
  ) throws(SystemError) -> ScannedFile {
    let directory = file.subdirectory.path(in: maildir)
    var number = 1
    while true {
      let base = file.name.base
      let name = file.name.with(
        base: number == 1 ? DetachedName.base(base) : DetachedName.base(base, number: number)
      )
      do throws(SystemError) {
        let target = directory.appending(name.octets)
        try FileSystem.renameWithoutReplacing(file.path(in: maildir), to: target)
        return ScannedFile(name: name, subdirectory: file.subdirectory)
      } catch {
        guard error.isAlreadyThere, number < numberLimit else { throw error }
        number += 1
      }
    }
  }
}
