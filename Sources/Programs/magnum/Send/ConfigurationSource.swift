internal import MailModel
internal import Configuration
internal import Platform
internal import Sendmail

/// The configuration that a request means.
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
}
