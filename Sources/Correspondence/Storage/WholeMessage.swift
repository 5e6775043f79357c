package import CommandLine
internal import MIME
package import Octets
package import Platform

/// Refuses messages whose attachments are only on the server: they are not to be passed on as if they were all of it.
package enum WholeMessage {
  /// - Throws: that a message which is to be sent or kept is or holds one without its attachments.
  package static func check(
    _ message: any OctetSource,
    _ what: String,
    place: String? = nil
  ) throws(Explanation) {
    let isPartial: Bool
    do throws(SourceError) {
      isPartial = try PartialDetector.isPartial(message)
    } catch {
      throw Explanation(reading: error)
    }
    guard isPartial else { return }
    throw Explanation(
      .data,
      place: place,
      "attachments are only on the server: \(what)",
      hint: "magnum attachments fetch MESSAGE makes a message whole"
    )
  }

  /// - Throws: the same of a file, or that it cannot be read.
  package static func check(file: Path, _ what: String) throws(Explanation) {
    try check(octets(of: file, what), what, place: file.display)
  }

  /// Whether a file has all that is attached to its message; `what` is what becomes of one that is gone.
  ///
  /// - Throws: that it cannot be read.
  package static func isWhole(file: Path, _ what: String) throws(Explanation) -> Bool {
    let octets = try octets(of: file, what)
    do throws(SourceError) {
      return try !PartialDetector.isPartial(octets)
    } catch {
      throw Explanation(reading: error)
    }
  }

  private static func octets(
    of file: Path,
    _ what: String
  ) throws(Explanation) -> FileOctets {
    do throws(SystemError) {
      return try FileOctets(Descriptor.open(file, .read))
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
}
