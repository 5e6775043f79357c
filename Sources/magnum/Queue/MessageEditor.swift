internal import Platform
internal import Spool

/// Shows a message in the user's editor and reads what was made of it.
struct MessageEditor {
  /// The longest message that is taken back, in octets.
  let limit: Int

  /// The message as the person left it; nil where the editor failed.
  ///
  /// It lies in a file that no other user can read meanwhile.
  /// - Throws: the error of writing or reading that file.
  func edit(_ message: [UInt8]) throws(SpoolError) -> [UInt8]? {
    do throws(SystemError) {
      let directory = try FileSystem.makeTemporaryDirectory(
        in: Environment.temporaryDirectory,
        prefix: "magnum-"
      )
      let file = directory.appending("message.eml")
      defer {
        try? FileSystem.remove(file)
        try? FileSystem.removeDirectory(directory)
      }
      try AtomicFile.replace(file, with: message)
      guard EditorProcess.run(on: file) else { return nil }
      return try FileSystem.readFile(file, limit: limit)
    } catch {
      throw .system(error)
    }
  }
}
