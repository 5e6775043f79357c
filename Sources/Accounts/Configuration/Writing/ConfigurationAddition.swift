internal import Octets
package import Platform

/// Sections that are added to the end of the user's configuration.
///
/// What is there is never rewritten: a new file with the old octets and the new ones behind them takes its place, when
/// our own reader has taken it.
package struct ConfigurationAddition {
  /// The configuration as the user names it.
  package let path: Path
  /// What is there already; nil where there is no file, or no account in it.
  package let existing: Configuration?
  /// How servers of the web are reached, as the defaults of the file say.
  package let proxy: ProxyRule

  /// The file itself, behind all links.
  private let target: Path
  private let old: ConfigurationFile?
  private let environment: ConfigurationEnvironment

  /// Whether there is no file yet.
  package var isNew: Bool { old == nil }

  /// Where the file lies, or is to lie.
  package var directory: Path { path.parent }

  /// The directory, or a file in it, as it can be written in a configuration: with `~` for the home directory.
  package func shown(_ path: Path) -> String { environment.shown(path) }

  /// Looks at the configuration that is to be added to.
  ///
  /// - Parameters:
  ///   - explicit: the file of `--config`; nil: the user's own, never the system's.
  ///   - environment: home and user.
  /// - Throws: where the file cannot be read, or has a mistake in it.
  package init(
    explicit: Path? = nil,
    environment: ConfigurationEnvironment = .current
  ) throws(ConfigurationError) {
    let path = explicit ?? environment.userFile
    self.environment = environment
    self.path = path
    target = try Self.target(of: path, environment)
    old = try ConfigurationFile.read(path, environment: environment)
    guard let old else {
      existing = nil
      proxy = .environment
      return
    }
    guard old.status?.kind == .regular else { throw Self.error(path, .notAFile, environment) }
    let reader = ConfigurationReader(file: old, environment: environment)
    proxy = try reader.defaultProxy()
    do throws(ConfigurationError) {
      existing = try reader.configuration()
    } catch {
      guard error.problem == .noAccount else { throw error }
      existing = nil
    }
  }

  private static func target(
    of path: Path,
    _ environment: ConfigurationEnvironment
  ) throws(ConfigurationError) -> Path {
    do throws(SystemError) {
      return try FileSystem.realPath(path)
    } catch {
      guard error.isNotFound else {
        throw Self.error(
          path,
          .unreadable(reason: error.reason, isForbidden: error.isForbidden),
          environment
        )
      }
    }
    let link = (try? FileSystem.status(path, followingLinks: false)) ?? nil
    guard link == nil else { throw Self.error(path, .notAFile, environment) }
    return path
  }

  private static func error(
    _ path: Path,
    _ problem: ConfigurationProblem,
    _ environment: ConfigurationEnvironment
  ) -> ConfigurationError {
    ConfigurationError(file: path, mistake: Mistake(problem), environment: environment)
  }

  private func error(_ failure: SystemError) -> ConfigurationError {
    Self.error(path, .unwritable(reason: failure.reason), environment)
  }

  /// Refuses a file of another user, such as one that the system's administrator keeps: not to be written in place of that.
  ///
  /// - Throws: whose file it is.
  package func checkOwner() throws(ConfigurationError) {
    guard let owner = old?.status?.owner, owner != environment.user else { return }
    let mistake = Mistake(
      .notOwn(user: owner),
      remedy: "--print shows what to add to it; --config names another file"
    )
    throw ConfigurationError(file: path, mistake: mistake, environment: environment)
  }

  // MARK: - What it will be

  /// The configuration with the text behind it.
  ///
  /// - Throws: the first mistake that our reader finds in it; one in the text has no line, since the file has none of it yet.
  @discardableResult
  package func configuration(adding text: String) throws(ConfigurationError) -> Configuration {
    let file = ConfigurationFile(path: path, octets: octets(adding: text), status: old?.status)
    guard file.octets.count <= ConfigurationFile.lengthLimit else {
      throw Self.error(path, .tooLong(limit: ConfigurationFile.lengthLimit), environment)
    }
    do throws(ConfigurationError) {
      return try ConfigurationReader(file: file, environment: environment).configuration()
    } catch {
      guard let line = error.line, line > linesBefore else { throw error }
      throw ConfigurationError(inAdditionOf: error, environment: environment)
    }
  }

  /// The lines that the file has already.
  private var linesBefore: Int {
    old?.octets.reduce(0) { $0 + ($1 == ASCII.lineFeed ? 1 : 0) } ?? 0
  }

  private func octets(adding text: String) -> [UInt8] {
    guard let old, !old.octets.isEmpty else { return Array(text.utf8) }
    let end =
      old.octets.last == ASCII.lineFeed ? [ASCII.lineFeed] : [ASCII.lineFeed, ASCII.lineFeed]
    return old.octets + end + Array(text.utf8)
  }

  // MARK: - Writing

  /// Puts the file with the text behind it in the place of the old one; durable on return.
  ///
  /// Mode and owner stay; a new file has mode 0600.
  /// - Throws: where our own reader does not take it, the file was changed meanwhile, or it cannot be written; the old file
  ///   is there then as before.
  package func write(_ text: String) throws(ConfigurationError) {
    try checkOwner()
    try configuration(adding: text)
    do throws(SystemError) {
      try FileSystem.makeDirectories(target.parent)
      let temporary = target.parent.appending(target.lastComponent + Array(".new".utf8))
      try? FileSystem.remove(temporary)
      try writeFile(temporary, octets(adding: text))
      guard try isUnchanged() else {
        try FileSystem.remove(temporary)
        throw Self.changed
      }
      try FileSystem.rename(temporary, to: target)
      try FileSystem.synchroniseDirectory(target.parent)
    } catch {
      guard error != Self.changed else { throw Self.error(path, .changed, environment) }
      throw self.error(error)
    }
  }

  /// Stands for a file that another program changed; no call of the system has this number.
  private static let changed = SystemError(operation: "rename", path: nil, code: -1)

  private func writeFile(_ path: Path, _ octets: [UInt8]) throws(SystemError) {
    let file = try Descriptor.open(path, .createExclusive())
    do throws(SystemError) {
      try file.write(all: octets)
      if let mode = old?.status?.mode { try file.setMode(mode) }
      try file.synchronise()
      try file.close()
    } catch {
      try? FileSystem.remove(path)
      throw error
    }
  }

  private func isUnchanged() throws(SystemError) -> Bool {
    try FileSystem.status(target)?.fingerprint == old?.status?.fingerprint
  }
}

extension ConfigurationAddition {
  /// What a text says where it is all there is.
  ///
  /// - Throws: the first mistake in it.
  package func configuration(of text: String) throws(ConfigurationError) -> Configuration {
    let file = ConfigurationFile(path: path, octets: Array(text.utf8), status: nil)
    return try ConfigurationReader(file: file, environment: environment).configuration()
  }
}
