package import MailModel
internal import MIME
package import Octets
package import Platform
package import SyncState

/// Refuses messages whose attachments are only on the server: they are not to be passed on as if they were all of it.
extension PartialFiles {
  /// - Throws: that a message which is to be sent or kept is or holds one without its attachments.
  package func checkWhole(_ message: any OctetSource, _ what: String) throws(Explanation) {
    let found = try explaining(.noInput) { () throws(SystemError) in try finding(message) }
    if found != .whole { throw Self.partial(what, place: nil) }
  }

  /// - Throws: the same of a file, or that it cannot be read; `what` is what becomes of one that is gone.
  package func checkWhole(file: Path, _ what: String) throws(Explanation) {
    guard try !isWhole(file: file, what) else { return }
    throw Self.partial(what, place: file.display)
  }

  /// Whether a file has all that is attached to its message.
  ///
  /// - Throws: that it cannot be read.
  package func isWhole(file: Path, _ what: String) throws(Explanation) -> Bool {
    do throws(SystemError) {
      return try finding(file: file) == .whole
    } catch {
      guard error.isNotFound else { throw Explanation(.noInput, error.description) }
      throw Explanation(
        .noInput,
        place: file.display,
        "the file is no longer there: \(what)",
        hint: "magnum index takes in what other programs changed; then try again"
      )
    }
  }

  /// Says that attachments are missing, and what is not done therefore.
  package static func partial(_ what: String, place: String?) -> Explanation {
    Explanation(
      .data,
      place: place,
      "attachments are only on the server: \(what)",
      hint: "magnum attachments fetch MESSAGE makes a message whole"
    )
  }
}
