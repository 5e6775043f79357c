internal import Platform
internal import Sendmail

/// Reads files of aliases, and the lists that they include, where no stranger can have written them.
struct AliasFile {
  /// The longest one, in octets.
  private static let limit = 1 << 20

  /// The user who sends.
  let user: UInt32

  /// The content of a list that a file names by its path.
  func read(list: [UInt8]) throws(AliasFileProblem) -> [UInt8] {
    let path = Path(list)
    guard path.isAbsolute else { throw .relative }
    return try read(path)
  }

  /// The content of a file; a list may be left to a user, in a directory of that user's.
  func read(_ path: Path) throws(AliasFileProblem) -> [UInt8] {
    var rules = TrustedFile.Rules(limit: Self.limit)
    (rules.user, rules.trustsOwnerOfDirectory) = (user, true)
    do throws(TrustedFile.Failure) {
      return try TrustedFile.read(path, rules).octets
    } catch {
      switch error {
      case .system(let error) where error.isNotFound: throw .missing
      case .system(let error) where error.isNotAFile: throw .notAFile
      case .system(let error): throw .unreadable(error.reason)
      case .tooLong(let limit): throw .tooLong(limit: limit)
      case .untrusted(let failure):
        let words = failure.path == path ? "" : "\(failure.path.display): "
        throw .untrusted(words + failure.words, remedy: failure.remedy)
      }
    }
  }
}
