package import Configuration
internal import Platform
package import Terminal

/// What a command gets besides the values of its own options: the common ones, its operands, and the console.
package struct CommandContext: Sendable {
  /// The words by which the command was called, as messages begin: `magnum queue`.
  package let name: String
  /// The values of the common options.
  package let globals: GlobalOptions
  /// What was given besides options.
  package let operands: [String]
  /// Where results and messages go.
  package let console: Console

  /// A context put together by hand, where a program reads its options in its own way.
  package init(
    name: String,
    globals: GlobalOptions = GlobalOptions(),
    operands: [String] = [],
    console: Console
  ) {
    self.name = name
    self.globals = globals
    self.operands = operands
    self.console = console
  }

  /// The configuration of the file that `--config` names, else of the well-known places.
  ///
  /// - Throws: the first mistake in it, or that there is none.
  package func configuration(
    environment: ConfigurationEnvironment = .current
  ) throws(ConfigurationError) -> Configuration {
    try Configuration.load(explicit: globals.config.map { Path($0) }, environment: environment)
  }

  /// Does something with the configuration, and gives its status; reports a configuration that is missing or wrong.
  package func withConfiguration(_ body: (Configuration) -> ExitStatus) -> ExitStatus {
    do throws(ConfigurationError) {
      return body(try configuration())
    } catch {
      return report(error.explanation)
    }
  }

  /// Prints what is wrong and what to do about it, and gives the status that says so.
  @discardableResult
  package func report(_ explanation: Explanation) -> ExitStatus {
    report(place: explanation.place, explanation.what, hint: explanation.hint)
    for line in explanation.excerpt { console.note(line) }
    return explanation.status
  }

  /// Prints what is wrong and what to do about it.
  package func report(place: String? = nil, _ what: String, hint: String? = nil) {
    console.report(Diagnostic(program: name, place: place, what: what, hint: hint))
  }
}
