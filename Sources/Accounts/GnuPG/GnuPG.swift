internal import Octets
package import Platform
package import Protection

/// Runs gpg and gpgsm.
///
/// They get mail through descriptors alone: nothing of it stands in an argument, in a file with a name, or goes through a shell.
/// What they say is believed only as far as their lines for programs go; locale, standard error and exit status count for nothing.
package final class GnuPG {
  /// What runs may take.
  package struct Limits: Hashable, Sendable {
    /// Seconds.
    package var seconds = 30.0
    /// Seconds where a person may be asked for a passphrase, or a card.
    package var secondsWithPerson = 300.0
    /// Seconds where a server is asked.
    package var secondsWithServer = 90.0
    /// Octets of what is decrypted.
    package var output = 128 << 20
    /// Octets of lines for programs.
    package var report = 256 << 10
    /// Octets that are kept of what is said to people.
    package var errors = 16 << 10
    /// Messages that are checked in one run of this program.
    package var messages = 50
    /// Parts of one message that are checked: a message may have thousands that say to be signed.
    package var partsOfMessage = 50

    package init() {}
  }

  private let limits: Limits
  /// Whether there is a way to ask for a passphrase.
  package let hasPerson: Bool
  /// Where the keys are; nil for the user's usual place.
  private let home: Path?
  /// The directory of the programs, with a slash at its end; empty for the search path.
  private let directory: String
  private let interruption: Interruption?
  private let reportErrors: (_ program: String, _ text: [UInt8]) -> Void
  /// What keys were listed to be.
  private var owners: [Owner: ToolAnswer] = [:]
  private var messages = 0
  /// Parts of this message that were checked.
  private var checkedParts = 0

  /// A key whose owner is listed.
  private struct Owner: Hashable {
    let method: ProtectionMethod
    let key: KeyNumber
  }

  /// - Parameters:
  ///   - limits: what runs may take.
  ///   - hasPerson: whether there is a way to ask for a passphrase.
  ///   - home: where the keys are; nil for the user's usual place.
  ///   - directory: where the programs are, with a slash at its end; empty for the search path.
  ///   - interruption: ends a run when requested.
  ///   - reportErrors: gets what a program said to people, with what a terminal would obey in it.
  package init(
    limits: Limits = Limits(),
    hasPerson: Bool,
    home: Path? = nil,
    directory: String = "",
    interruption: Interruption? = nil,
    reportErrors: @escaping (_ program: String, _ text: [UInt8]) -> Void = { _, _ in }
  ) {
    self.limits = limits
    self.hasPerson = hasPerson
    self.home = home
    self.directory = directory
    self.interruption = interruption
    self.reportErrors = reportErrors
  }

  /// Whether a person at this program can be asked: on a terminal, or by a window.
  package static var hasPerson: Bool {
    ["DISPLAY", "WAYLAND_DISPLAY", "INSIDE_EMACS"].contains { Environment.octets($0) != nil }
      || AskingTerminal.isInput
  }

  /// From now on one more message is looked into.
  package func beginMessage() {
    messages += 1
    checkedParts = 0
  }

  /// Does what is asked for.
  package func answer(_ request: ToolRequest) -> ToolAnswer {
    if case .listOwner(let method, let key) = request {
      let owner = Owner(method: method, key: key)
      if let known = owners[owner] { return known }
      let answer = runProgram(for: request)
      owners[owner] = answer
      return answer
    }
    guard request.isCheck else { return runProgram(for: request) }
    guard messages <= limits.messages, checkedParts < limits.partsOfMessage else {
      return .tooMany
    }
    checkedParts += 1
    return runProgram(for: request)
  }

  private func runProgram(for request: ToolRequest) -> ToolAnswer {
    // gpg would make the directory.
    guard hasHome else { return .noKeys }
    guard let input = try? request.input as? HeldOctets ?? HeldOctets(request.input) else {
      return .broken
    }
    let words = request.words(asks: hasPerson)
    var command = ChildProcess.ReportingCommand(
      .arguments([directory + request.program] + words),
      standardInput: input,
      timeout: seconds(for: request),
      limits: .init(output: limits.output, report: limits.report, errors: limits.errors)
    )
    command.otherInput = request.signature
    command.putsOutputAside = request.isEncryption
    let place = home.map { ["GNUPGHOME=\($0.display)"] } ?? []
    command.variables = .inherited(with: AskingTerminal.variables + place)
    do throws(SystemError) {
      let result = try ChildProcess.collectOutput(of: command, interruption: interruption)
      reportErrors(request.program, result.errors)
      if let failure = result.failure { return .notStored(failure.description) }
      guard case .exited(let status) = result.status else { return .broken }
      return .ended(status, status: result.report, output: result.output)
    } catch {
      return error.isNotFound ? .noProgram : .broken
    }
  }

  private func seconds(for request: ToolRequest) -> Double {
    if case .fetchKey = request { return limits.secondsWithServer }
    return request.isAsked && hasPerson ? limits.secondsWithPerson : limits.seconds
  }

  /// Whether the user has keys: without them nothing can be checked.
  private var hasHome: Bool {
    if let home = home ?? Environment.octets("GNUPGHOME").flatMap(Path.init(validating:)) {
      return Self.isDirectory(home)
    }
    return Self.isDirectory(Environment.homeDirectory.appending(".gnupg"))
  }

  private static func isDirectory(_ path: Path) -> Bool {
    ((try? FileSystem.status(path)) ?? nil)?.kind == .directory
  }
}

/// The terminal at which pinentry may ask.
private enum AskingTerminal {
  static var isInput: Bool { ChildProcess.terminalOfInput != nil }

  /// The terminal, where the user has not named one.
  static var variables: [String] {
    guard Environment.octets("GPG_TTY") == nil, let name = ChildProcess.terminalOfInput else {
      return []
    }
    return ["GPG_TTY=\(name)"]
  }
}
