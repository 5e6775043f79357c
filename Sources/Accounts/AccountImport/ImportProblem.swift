/// Why no account was made of something.
struct ImportProblem: Error {
  /// What is said about it.
  let remark: Remark

  init(_ remark: Remark) { self.remark = remark }
}
