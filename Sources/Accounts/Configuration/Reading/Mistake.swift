/// A problem and its remedy, before anyone has said at which key of which file.
struct Mistake: Error {
  let problem: ConfigurationProblem
  let remedy: String?

  init(_ problem: ConfigurationProblem, remedy: String? = nil) {
    self.problem = problem
    self.remedy = remedy
  }

  /// A value that the key cannot take.
  static func badValue(_ reason: String, remedy: String? = nil) -> Mistake {
    Mistake(.badValue(reason: reason), remedy: remedy)
  }
}
