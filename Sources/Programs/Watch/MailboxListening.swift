internal import MailModel
internal import MailStore
internal import Platform
internal import SyncEngine
internal import WatchPlan

/// The mailboxes of an account that are listened to besides INBOX: a thread and a connection each.
///
/// Used by the thread of the account; that one of them cannot be listened to is no failure, since all are looked at in each
/// interval.
final class MailboxListening {
  /// One mailbox.
  private struct Listened {
    let thread: Thread
    let waker: Waker
    let isWanted: Monitor<Bool>
  }

  private var listened: [MailboxName: Listened] = [:]
  private let interruption: Interruption
  private let changed: @Sendable () -> Void

  /// Listens to none yet; `changed` is called from other threads.
  init(_ interruption: Interruption, changed: @escaping @Sendable () -> Void) {
    self.interruption = interruption
    self.changed = changed
  }

  /// From now on these are listened to, and no others.
  func listen(to listeners: [MailboxListener]) {
    let names = Set(listeners.map(\.name))
    for (name, one) in listened where !names.contains(name) {
      Self.end(one)
      listened[name] = nil
    }
    for listener in listeners where listened[listener.name] == nil {
      listened[listener.name] = begin(listener)
    }
  }

  /// The way to the server may be another one: each connection is checked.
  func check() {
    for one in listened.values { one.waker.wake() }
  }

  /// Ends all of them, and waits for that.
  func end() {
    for one in listened.values { Self.end(one) }
    for one in listened.values { one.thread.join() }
    listened = [:]
  }

  private static func end(_ one: Listened) {
    one.isWanted.withLock { $0 = false }
    one.waker.wake()
  }

  private func begin(_ listener: MailboxListener) -> Listened? {
    let (waker, isWanted) = (Waker(), Monitor(true))
    let (interruption, changed) = (interruption, changed)
    let thread = try? Thread.spawn(name: "listen") {
      Self.keepListening(
        listener,
        waker,
        { isWanted.withLock { $0 } && !interruption.isRequested },
        changed
      ) {
        waker.wait(until: .after(seconds: Moment.wait($0)), interruption: interruption)
        waker.clear()
      }
    }
    return thread.map { Listened(thread: $0, waker: waker, isWanted: isWanted) }
  }

  private static let limits = MailboxListener.Limits(
    gathering: Moment.wait(AccountWatch.gathering),
    sign: AccountWatch.signLimit
  )

  /// Listens for as long as that is wanted; what fails is tried again after growing intervals.
  private static func keepListening(
    _ listener: MailboxListener,
    _ waker: Waker,
    _ isWanted: () -> Bool,
    _ changed: () -> Void,
    pause: (Double) -> Void
  ) {
    var backoff = Backoff()
    while isWanted() {
      let start = Moment.now
      do throws(SyncFailure) {
        try listener.listen(waker, limits, while: isWanted, changed: changed)
      } catch {
        backoff.end(after: Moment.now - start)
        pause(backoff.fail(chance: .random(in: 0...1)))
      }
    }
  }
}
