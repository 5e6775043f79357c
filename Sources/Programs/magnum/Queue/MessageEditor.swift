internal import Platform
internal import Spool

/// A message in a file that the user's editor shows, and that no other user can read meanwhile.
struct MessageEditor {
  let file: Path

  /// The longest message that is taken back, in octets.
  private let limit: Int

  /// Writes a message into a file of its own.
  ///
  /// - Throws: the error of writing it.
  init(_ message: [UInt8], limit: Int) throws(SpoolError) {
    do throws(SystemError) {
      let directory = try FileSystem.makeTemporaryDirectory(
        in: Environment.temporaryDirectory,
        prefix: "magnum-"
      )
      file = directory.appending("message.eml")
      self.limit = limit
      do throws(SystemError) {
        try AtomicFile.replace(file, with: message)
      } catch {
        Self.remove(file)
        throw error
      }
    } catch {
      throw .system(error)
    }
  }

  /// Has the user edit it; whether the editor ended well.
  func editMessage() -> Bool { EditorProcess.run(on: file) == nil }

  /// The message as the person left it; empty where there is none.
  ///
  /// - Throws: the error of reading it.
  func edited() throws(SpoolError) -> [UInt8] {
    do throws(SystemError) {
      return try FileSystem.readFile(file, limit: limit) ?? []
    } catch {
      throw .system(error)
    }
  }

  /// Whether a person changed the old message, in the file or in one that the editor left beside it, such as a swap file; true
  /// where that cannot be read.
  func holdsWork(besides old: [UInt8]) -> Bool {
    guard !hasOtherFiles, let new = try? edited() else { return true }
    return !new.isEmpty && new != old
  }

  /// Whether the editor left files beside the message; true where that cannot be read.
  var hasOtherFiles: Bool {
    var others = 0
    do throws(SystemError) {
      try FileSystem.entries(of: file.parent) { name, _ in
        if !name.elementsEqual(file.lastComponent) { others += 1 }
      }
      return others > 0
    } catch {
      return true
    }
  }

  /// Removes the file, once it is no longer needed.
  func remove() { Self.remove(file) }

  private static func remove(_ file: Path) {
    try? FileSystem.remove(file)
    try? FileSystem.removeDirectory(file.parent)
  }
}
