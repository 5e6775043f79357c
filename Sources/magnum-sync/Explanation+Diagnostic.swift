internal import CommandLine
internal import Terminal

extension Explanation {
  /// The message to print during a run, beside progress.
  var diagnostic: Diagnostic {
    Diagnostic(program: "magnum-sync", place: place, what: what, hint: hint)
  }
}
