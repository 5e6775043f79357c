internal import Agents
internal import CommandLine
internal import Configuration
internal import JSON
internal import MailModel
internal import Octets
internal import Platform
internal import Terminal

/// `magnum log --agent`: the calls of an agent, the newest first.
struct AgentLog {
  private let name: String
  private let context: CommandContext

  init(_ name: String, _ context: CommandContext) {
    (self.name, self.context) = (name, context)
  }

  /// Prints the newest calls, also those of an agent that is no longer in the configuration.
  func printCalls(limit: Int) throws(Explanation) -> ExitStatus {
    guard PlainName.objection(to: name) == nil else {
      let configuration = try context.neededConfiguration()
      throw AgentProfile.unknown(name, configuration)
    }
    var count = 0
    do throws(SystemError) {
      try AgentRecord(of: name).readCalls { line in
        if count < limit { printCall(line) }
        count += 1
        return count < limit
      }
    } catch {
      throw Explanation(.noInput, error.description)
    }
    if count == 0 {
      let configuration = try context.configuration(isNeeded: false)
      guard configuration.agents.contains(where: { $0.name == name }) else {
        throw AgentProfile.unknown(name, configuration)
      }
    }
    return .success
  }

  private func printCall(_ line: RecordedLines.Line) {
    let value = line.isCut ? nil : try? JSONValue(line.octets)
    if context.globals.json, value == nil {
      context.report(place: AgentRecord(of: name).directory.display, "a line was cut short")
    } else if context.globals.json {
      context.console.print(octets: line.octets + [ASCII.lineFeed])
    } else {
      context.console.print(
        value.map(Self.text) ?? Printable.text(line.octets.prefix(1000), limit: 200)
      )
    }
  }

  /// A call in a line: when, which tool, what came of it, and what was asked.
  private static func text(_ value: JSONValue) -> String {
    let word = { (name: String) in Printable.text(value.member(name)?.octets ?? [], limit: 64) }
    var words = [word("time"), word("tool"), word("outcome")]
    if case .array(let ids)? = value.member("ids") {
      words.append(ids.count == 1 ? "1 message" : "\(ids.count) messages")
    }
    if value.member("draft") != nil { words.append("draft \(word("draft"))") }
    if value.member("entry") != nil { words.append("entry \(word("entry"))") }
    if case .number(let act)? = value.member("act") {
      words.append("act \(Printable.text(act.utf8, limit: 20))")
    }
    words.append(Printable.text(value.member("arguments")?.text ?? [], limit: 200))
    return words.joined(separator: "  ")
  }
}
