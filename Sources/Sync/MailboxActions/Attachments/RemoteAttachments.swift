package import Configuration
internal import IMAPStore
package import MIME
package import MailStore
package import Octets
package import Platform
internal import SyncState

/// The attachments of one partial message: from the cache, or else from the server, each alone.
///
/// The account is not locked, and nothing that is recorded is changed: it works beside a sync. One connection serves all; none
/// is made for what is in the cache. Used by one thread.
package final class RemoteAttachments {
  /// What came of asking for one.
  package enum Outcome {
    /// All that it holds, decoded.
    case content(any OctetSource)
    /// Its message is no longer where it was recorded.
    case gone
    /// Another message is there.
    case otherMessage
    /// The message has another part there.
    case otherPart(PartFacts.Difference)
    /// It cannot be had alone; whether it can with the whole message is another question.
    case notGiven
    /// No more is fetched today; again at that time, in seconds since 1970.
    case leftForAnotherDay(Int64)
  }

  /// What happens.
  package enum Event: Sendable {
    /// Something on the way to the server.
    case store(StoreEvent)
    /// So many octets of the encoded part came, of so many.
    case received(Int, of: UInt64)
    /// The attachment is not kept, since the directory of the cache cannot be used, or has no room.
    case notKept
    /// The connection broke, and another one is made in so many seconds.
    case retrying(seconds: Double)
  }

  /// What all attachments of an account have in common.
  package struct Setting: Sendable {
    /// The account, which has a server.
    package var account: Account
    /// Where things lie that can be made again.
    package var cacheHome: Path
    /// Where Magnum remembers things about accounts.
    package var stateHome: Path
    /// Seconds to wait before a connection that was lost, or not made, is made anew, one for each attempt.
    package var retryDelays: [Double]
    /// Ends all waiting.
    package var interruption: Interruption

    package init(
      _ account: Account,
      cacheHome: Path,
      stateHome: Path,
      retryDelays: [Double],
      interruption: Interruption
    ) {
      self.account = account
      self.cacheHome = cacheHome
      self.stateHome = stateHome
      self.retryDelays = retryDelays
      self.interruption = interruption
    }
  }

  private let setting: Setting
  private let cache: AttachmentCache
  private let finder: PartialMessageFinder
  private let server: any MailServer
  private let observer: @Sendable (Event) -> Void
  private var store: (any MailStore)?

  /// Those of the message of a file in a Maildir of the account; nothing is connected.
  ///
  /// - Throws: the error of reading the file.
  package init(
    of file: Path,
    _ setting: Setting,
    observer: @escaping @Sendable (Event) -> Void
  ) throws(SystemError) {
    let account = setting.account
    self.setting = setting
    self.observer = observer
    cache = AttachmentCache(of: account.name, in: setting.cacheHome, limit: account.sync.cacheLimit)
    finder = try PartialMessageFinder(file, of: account)
    server = MailServers.server(
      of: account,
      memory: AccountPlaces.memory(of: account, in: setting.stateHome),
      interruption: setting.interruption
    ) { observer(.store($0)) }
  }

  deinit { store?.close() }

  /// The content of a part.
  ///
  /// - Throws: why the server cannot be asked, or the content not be written.
  package func content(of part: PartPlaceholder) throws(SyncFailure) -> Outcome {
    let name = try attempt(finder.name())
    guard let name else { return .notGiven }
    let key = AttachmentKey(message: name, part)
    if let content = cache.content(key) { return .content(content) }
    let message = try attempt(finder.message())
    guard let message else { return .notGiven }
    let file = try attempt(cache.makeFile(for: key, of: part.contentSize))
    if !file.isKeepable, setting.account.sync.cacheLimit > 0 { observer(.notKept) }
    guard let transfer = PartTransfer(message, part, into: file) else { return .notGiven }
    return try counted(transfer, part, file)
  }

  /// Fetches what the limit of the day allows, and counts it.
  private func counted(
    _ transfer: PartTransfer,
    _ part: PartPlaceholder,
    _ file: IncomingAttachment
  ) throws(SyncFailure) -> Outcome {
    var transfer = transfer
    let meter = setting.account.sync.dailyLimit.map { limit in
      FetchMeter(
        memory: AccountPlaces.memory(of: setting.account, in: setting.stateHome),
        limit: limit
      )
    }
    if let meter, !meter.ask(part.size) {
      meter.finishRequest(part.size)
      return .leftForAnotherDay(meter.resumption)
    }
    defer {
      meter?.finishRequest(part.size)
      meter?.addOctets(UInt64(transfer.received))
      try? meter?.save()
    }
    switch try fetch(&transfer, part) {
    case .complete:
      return .content(try attempt(cache.keep(file)))
    case .gone: return .gone
    case .otherMessage: return .otherMessage
    case .otherPart(let difference): return .otherPart(difference)
    case .notGiven: return .notGiven
    }
  }

  // MARK: The server

  /// Fetches over a connection that is made where there is none, and made anew where it breaks.
  private func fetch(
    _ transfer: inout PartTransfer,
    _ part: PartPlaceholder
  ) throws(SyncFailure) -> PartTransfer.End {
    var delays = setting.retryDelays[...]
    while true {
      do throws(SyncFailure) {
        let end = try transfer.fetchPart(over: connected()) {
          observer(.received($0, of: part.size))
        }
        server.served(isComplete: false)
        return end
      } catch {
        if error.endsConnection { disconnect() }
        // A server that answers so may give the message as a whole.
        if error.isProtocolViolation { return .notGiven }
        guard error.isLostConnection, let delay = delays.popFirst() else {
          throw server.postponed(error)
        }
        observer(.retrying(seconds: delay))
        guard setting.interruption.sleep(seconds: delay) else { throw .interrupted }
      }
    }
  }

  private func connected() throws(SyncFailure) -> any MailStore {
    if let store { return store }
    let rules = try attempt(setting.account.namingRules())
    let opened = try server.open(isWriting: false, naming: rules).store
    store = opened
    return opened
  }

  private func disconnect() {
    store?.close()
    store = nil
  }
}
