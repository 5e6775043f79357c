package import MailModel
internal import Platform
package import Terminal

/// A program from its arguments to its exit status.
package struct Program {
  private let command: CommandDefinition
  private let version: String
  private let console = Console()

  /// A program of that command and its subcommands.
  init(_ command: CommandDefinition, version: String) {
    self.command = command
    self.version = version
  }

  /// Does what the arguments ask for, and ends the process.
  func main(_ arguments: [[UInt8]]) -> Never {
    let status = run(arguments.map { String(decoding: $0, as: UTF8.self) })
    Self.end(status, console)
  }

  private func run(_ arguments: [String]) -> ExitStatus {
    if arguments.prefix(while: { $0 != "--" }).contains("--json") { console.writeErrorsAsJSON() }
    do throws(LocatedMistake) {
      switch try LineParser.parse(command, arguments) {
      case .run(let line): return try runCommand(line)
      case .help(let path): console.print(HelpText.text(path))
      case .version: console.print(version)
      case .program(let program, let arguments):
        program.main(arguments.map { Path(argument: $0).octets })
      case .completionScript(let shell): try printScript(for: shell)
      }
      return .success
    } catch {
      let hint = error.mistake.hint ?? "\(error.name) --help lists the options"
      let (what, code) = (error.mistake.what, ExitStatus.usage.code)
      console.report(Diagnostic(program: error.name, what: what, hint: hint, code: code))
      return .usage
    }
  }

  private func printScript(for shell: String) throws(LocatedMistake) {
    guard let script = CompletionScript.text(command, for: shell) else {
      let mistake = UsageMistake(
        "there is no completion script for \"\(shell)\"",
        hint: "there is one for each of: \(CompletionScript.shells.joined(separator: ", "))"
      )
      throw LocatedMistake(name: command.name, mistake: mistake)
    }
    console.print(script)
  }

  private func runCommand(_ line: ParsedLine) throws(LocatedMistake) -> ExitStatus {
    let action: CommandDefinition.Action
    do throws(UsageMistake) {
      action = try line.command.prepare(line)
    } catch {
      throw LocatedMistake(name: line.name, mistake: error)
    }
    return action(
      CommandContext(
        name: line.messageName,
        globals: line.globals,
        operands: line.operands,
        operandsBeforeDashes: line.operandsBeforeDashes,
        meant: line.meant,
        console: console
      )
    )
  }

  /// Writes what is left, and ends the process: by the signal that asked for it, else with the status.
  package static func end(_ status: ExitStatus, _ console: Console) -> Never {
    let isLost = console.finish() != nil
    FaultPoint.writeCount()
    if Interruption.shared.isRequested { Interruption.shared.endProcess() }
    let status = isLost ? ExitStatus.mostSevere(of: [status, .output]) : status
    ProcessEnd.now(status: status.rawValue)
  }
}

/// One of the programs of the suite, which are one file that is called by several names.
package struct SuiteProgram {
  /// The name by which it is called.
  package let name: String
  /// Does what the arguments behind the name ask for, and ends the process.
  package let main: (_ arguments: [[UInt8]]) -> Never

  package init(_ name: String, main: @escaping (_ arguments: [[UInt8]]) -> Never) {
    self.name = name
    self.main = main
  }

  /// A program of commands and options as `CommandDefinition` describes them.
  package init(_ command: @autoclosure @escaping () -> CommandDefinition, named name: String) {
    self.init(name) { Program(command(), version: Version.text(of: name)).main($0) }
  }
}
