internal import AgentPlan
internal import Agents
internal import Archives
internal import CommandLine
internal import Configuration
internal import Correspondence
internal import MailModel
internal import Octets
internal import Platform
internal import Query
internal import SearchIndex
internal import Terminal

/// `magnum mcp`: mail for an agent, by the Model Context Protocol.
enum MCPCommand {
  struct Options {
    var agent: String?
    var isPrinting = false
  }

  static var command: CommandDefinition {
    CommandDefinition(
      "mcp",
      abstract: "Serve mail to an agent.",
      discussion:
        "It speaks the Model Context Protocol on standard input and output, for a section "
        + "[agent.NAME] of the configuration. See magnum-mcp(1).",
      initial: Options(),
      globals: [.config],
      options: [
        .text(
          "--agent",
          value: "name",
          completion: .names(.agents),
          sets: \.agent,
          help: "The agent, as the configuration names it; required."
        ),
        .flag("--print", sets: \.isPrinting, help: "Print what the agent may do, and end."),
      ],
      check: { (options, _) throws(UsageMistake) in
        guard options.agent != nil else {
          throw UsageMistake(
            "--agent is missing",
            hint: "--agent NAME names a section [agent.NAME]"
          )
        }
      },
      // It offers no tool that changes anything where nothing may be changed.
      changes: { _, _ in false },
      run: { options, context in
        context.reporting { () throws(Explanation) in try serveAgent(options, context) }
      }
    )
  }

  private static func serveAgent(
    _ options: Options,
    _ context: CommandContext
  ) throws(Explanation) -> ExitStatus {
    let service = try AgentService(options.agent ?? "", isReadOnly: ReadOnlyMode.isOn) {
      () throws(ConfigurationError) in try context.configuration()
    }
    if options.isPrinting {
      let profile = try service.profile()
      for line in try profile.lines(isReadOnly: ReadOnlyMode.isOn) { context.console.print(line) }
      try remark(on: profile, context)
      return .success
    }
    if TerminalTraits.of(descriptor: 0).isTerminal {
      context.console.writeNote(
        "\(context.name): waiting for messages of a client; --print shows what the agent may do"
      )
    }
    return try AgentServer(service, version: Version.number).serve()
  }
  /// Tells what in the queries of the view finds nothing: a folder or a tag that nothing has protects nothing.
  private static func remark(on profile: AgentProfile, _ context: CommandContext)
    throws(Explanation)
  {
    let settings = profile.settings
    let set = try profile.configuration.searchSet(
      settings.accounts,
      stemming: "english",
      isLocal: true
    ) { _ in }
    for (key, text) in [("read", settings.read.text), ("never", settings.never?.text ?? "")]
    where !text.isEmpty {
      let query = try profile.configuration.query(text, now: Clock.now())
      for line in SearchRemarks(set).lines(text, query) {
        context.console.writeNote("\(context.name): agent.\(settings.name).\(key): \(line)")
      }
    }
  }
}
