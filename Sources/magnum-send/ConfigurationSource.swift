internal import CommandLine
internal import Configuration
internal import Platform
internal import Sendmail

/// The configuration that a request means, and the aliases that go with it.
struct ConfigurationSource {
  private let request: SendmailRequest

  init(_ request: SendmailRequest) {
    self.request = request
  }

  func load() throws(Explanation) -> Configuration {
    do throws(ConfigurationError) {
      return try Configuration.load(
        explicit: request.configuration.map { Path($0) },
        environment: SendEnvironment.configuration
      )
    } catch {
      throw error.explanation
    }
  }

  /// The aliases beside the configuration, else those of the system.
  static func aliases(beside configuration: Path) throws(Explanation) -> Aliases {
    for path in [configuration.parent.appending("aliases"), Path("/etc/aliases")] {
      do throws(SystemError) {
        if let file = try FileSystem.readFile(path, limit: 1 << 20) { return Aliases(file) }
      } catch {
        throw Explanation(.configuration, place: path.display, error.reason)
      }
    }
    return Aliases()
  }
}
