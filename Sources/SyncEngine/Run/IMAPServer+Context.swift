internal import IMAPStore
internal import MailStore
internal import Platform

extension IMAPServer {
  /// The server of an account that a run works on; `memory` is the account's directory in the state home.
  init(_ context: AccountContext, memory: Path) {
    var access = IMAPAccess(
      context.account,
      memory: memory,
      interruption: context.interruption
    )
    access.isRemembering = !context.options.isDryRun
    access.isTracing = context.options.isTracing
    self.init(access) { context.report(SyncEvent.Kind($0)) }
  }
}

extension SyncEvent.Kind {
  /// What happens on the way to a server, as an event of the run.
  init(_ event: StoreEvent) {
    self =
      switch event {
      case .connecting: .state(.connecting)
      case .authenticating: .state(.authenticating)
      case .refreshingToken: .state(.tokenRefresh)
      case .listing: .state(.folders)
      case .step(let text): .step(text)
      case .trace(let line): .trace(line)
      }
  }
}
