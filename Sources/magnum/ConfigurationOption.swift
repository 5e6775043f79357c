internal import ArgumentParser
internal import Platform

/// `--config`, which the program and each of its subcommands have in common: it may stand before or after their names.
struct ConfigurationOption: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("Read this configuration file.", valueName: "file"),
    completion: .file()
  )
  var config: String?

  /// The file that is named; nil where the well-known places are meant.
  var path: Path? { config.map { Path($0) } }
}
