package import Platform

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
