package import Configuration
package import MailModel
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
  /// How many of them came before `--`; nil where there was none.
  package let operandsBeforeDashes: Int?
  /// The command that was probably meant, where its name was taken for an operand; nil for none.
  private let meant: String?
  /// Where results and messages go.
  package let console: Console

  /// A context put together by hand, where a program reads its options in its own way.
  package init(
    name: String,
    globals: GlobalOptions = GlobalOptions(),
    operands: [String] = [],
    operandsBeforeDashes: Int? = nil,
    meant: String? = nil,
    console: Console
  ) {
    self.name = name
    self.globals = globals
    self.operands = operands
    self.operandsBeforeDashes = operandsBeforeDashes
    self.meant = meant
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

  /// The configuration, for a command that is of no use without it.
  ///
  /// - Parameter hint: what else the user can do where there is no file; nil for the usual advice.
  /// - Returns: the configuration, as ``configuration(environment:)`` reads it.
  /// - Throws: the first mistake in it, or that there is none.
  package func neededConfiguration(
    otherwise hint: String? = nil
  ) throws(Explanation) -> Configuration {
    do throws(ConfigurationError) {
      return try configuration()
    } catch {
      var explanation = error.explanation
      if let hint, case .noFile = error.problem { explanation.hint = hint }
      throw explanation
    }
  }

  /// The configuration, or none where there is none and the command does not need it.
  ///
  /// - Throws: as ``neededConfiguration(otherwise:)``.
  package func configuration(isNeeded: Bool) throws(Explanation) -> Configuration {
    do throws(ConfigurationError) {
      return try configuration()
    } catch {
      if !isNeeded, globals.config == nil, case .noFile = error.problem { return .none }
      throw error.explanation
    }
  }

  /// Does something with the configuration, and gives its status; reports a configuration that is missing or wrong.
  package func withConfiguration(
    _ body: (Configuration) throws(Explanation) -> ExitStatus
  ) -> ExitStatus {
    reporting { () throws(Explanation) in try body(neededConfiguration()) }
  }

  /// Does something, and gives its status; reports why it failed.
  package func reporting(_ body: () throws(Explanation) -> ExitStatus) -> ExitStatus {
    do throws(Explanation) {
      return try body()
    } catch {
      return report(error)
    }
  }

  /// All of standard input, which may be empty.
  ///
  /// - Throws: that it cannot be read, or is longer than the limit.
  package static func standardInput(limit: Int) throws(Explanation) -> [UInt8] {
    do throws(SystemError) {
      return try FileSystem.contents(of: Descriptor(adopting: 0), limit: limit)
    } catch {
      throw Explanation(.noInput, "standard input: \(error.reason)")
    }
  }

  /// Prints what is wrong and what to do about it, and gives the status that says so.
  @discardableResult
  package func report(_ explanation: Explanation) -> ExitStatus {
    let guess = explanation.status == .success ? nil : meant.map { "did you mean \($0)?" }
    let hints = [guess, explanation.hint].compactMap { $0 }
    console.report(
      Diagnostic(
        program: name,
        place: explanation.place,
        what: explanation.what,
        hint: hints.isEmpty ? nil : hints.joined(separator: " "),
        code: explanation.status.code,
        excerpt: explanation.excerpt
      )
    )
    return explanation.status
  }

  /// Prints what is wrong and what to do about it.
  package func report(place: String? = nil, _ what: String, hint: String? = nil) {
    console.report(Diagnostic(program: name, place: place, what: what, hint: hint))
  }
}

/// The mode in which no mail, tag, queue, server or login is changed, for callers that want a guard against slips.
package enum ReadOnlyMode {
  /// Whether the environment asks for it.
  package static var isOn: Bool {
    let value = Environment.value("MAGNUM_READ_ONLY") ?? ""
    return !value.isEmpty && value != "0"
  }

  /// What is said of a command that would change something.
  package static let refusal = Explanation(
    .refused,
    "MAGNUM_READ_ONLY is set, and this would change something; nothing is changed",
    hint: "unset MAGNUM_READ_ONLY, see magnum(7)"
  )
}
