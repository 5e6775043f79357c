internal import MailStore
internal import Login

extension SyncFailure {
  /// Does something with the secret; what goes wrong is a failure of the sync.
  static func ofSecret<Value>(
    _ body: () throws(SecretFailure) -> Value
  ) throws(SyncFailure) -> Value {
    do {
      return try body()
    } catch {
      switch error {
      case .source(let error): throw .secret(error)
      case .interrupted: throw .interrupted
      }
    }
  }
}
