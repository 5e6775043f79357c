internal import CommandLine
internal import Octets
internal import Sendmail

extension Explanation {
  /// Why a file of aliases, or a list that stands in one, is not used, and what to do about it.
  init(_ problem: AliasFileProblem, in file: [UInt8], includedAt place: AliasPlace? = nil) {
    let path = Printable.text(file)
    let words = place == nil ? problem.words : ":include:\(path): \(problem.words)"
    self.init(
      .configuration,
      place: place?.display ?? path,
      words,
      hint: problem.hint(path)
    )
  }
}

extension AliasPlace {
  /// The file and the line, as errors name them.
  var display: String { "\(Printable.text(file)):\(line)" }
}

extension AliasFileProblem {
  fileprivate var words: String {
    switch self {
    case .relative: "is no absolute path"
    case .missing: "there is no such file"
    case .unreadable(let reason): reason
    case .notAFile: "is no ordinary file"
    case .tooLong(let limit): "is longer than \(limit >> 20) MiB"
    case .foreignOwner(let user): "belongs to user \(user), who could send this mail anywhere"
    case .openToOthers(let mode):
      "any user can change it (mode \(String(mode, radix: 8)) of it or of its directory)"
    case .empty: "holds no address"
    case .loop: "includes itself, or lists include each other too deep"
    }
  }

  fileprivate func hint(_ path: String) -> String? {
    switch self {
    case .relative: "begin it with a slash"
    case .foreignOwner: "chown root \(path)"
    case .openToOthers: "chmod o-w \(path), and its directory"
    case .unreadable: "the user who sends must be able to read it"
    case .missing, .notAFile, .tooLong, .empty, .loop: nil
    }
  }
}
