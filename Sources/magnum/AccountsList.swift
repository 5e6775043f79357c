internal import ArgumentParser
internal import Configuration
internal import Octets
internal import Terminal

/// `magnum accounts list`.
struct AccountsList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the accounts of the configuration."
  )

  @OptionGroup var global: ConfigurationOption

  @Flag(name: .long, help: "Print JSON, an object a line.")
  var json = false

  func run() throws {
    let desk = AccountsDesk(program: "magnum accounts")
    try desk.run(config: global.path) { configuration in
      for name in desk.names([], in: configuration).names {
        let line = AccountLine(name, configuration)
        if json {
          desk.console.print(octets: line.json.octets)
        } else {
          desk.console.print(line.text)
        }
      }
      return .success
    }
  }
}
