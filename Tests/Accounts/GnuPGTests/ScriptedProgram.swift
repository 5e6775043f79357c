import GnuPG
import Platform
import Protection
import TestSupport

/// A script in the place of gpg, which gets small limits.
final class ScriptedProgram {
  private let directory: TempDirectory
  private let tools: GnuPG

  /// A script that does not end is stopped after so many seconds.
  init(_ script: String, hasPerson: Bool = false, seconds: Double = 60) throws {
    directory = try TempDirectory()
    try directory.write("#!/bin/sh\n\(script)\n", to: "gpg", mode: 0o755)
    var limits = GnuPG.Limits()
    limits.seconds = seconds
    limits.output = 1 << 20
    limits.report = 1 << 16
    limits.errors = 1 << 10
    tools = GnuPG(
      limits: limits,
      hasPerson: hasPerson,
      home: Path(directory.path),
      directory: "\(directory.path)/"
    )
  }

  func answer(_ request: ToolRequest) -> ToolAnswer { tools.answer(request) }
}
