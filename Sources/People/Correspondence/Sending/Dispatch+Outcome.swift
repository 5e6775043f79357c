internal import Configuration
package import MailModel
package import MIME
internal import Octets
package import Outgoing
internal import Platform
internal import Spool
package import SpoolPlan
internal import Submission
internal import SyncState

// What becomes of a message that is in the queue.
extension Dispatch {
  /// What became of a message that was to be sent at once.
  package enum Result: Hashable, Sendable {
    /// All have it.
    case sent
    /// All have it, and the server refuses to keep a copy: why.
    case uncopied([UInt8]?)
    /// It waits, and why.
    case queued([UInt8]?)
    /// Some will not get it, and why.
    case failed([UInt8])
    /// It waits for a person, and why.
    case held([UInt8]?)
    /// A person took it back before it was sent.
    case cancelled
  }

  /// Seconds to wait for the IMAP server while a person waits.
  private static let connectLimit = 10.0

  /// An entry of the account's spool with a message of that id.
  package struct Queued {
    package let id: EntryID
    /// Whether taking it back as a draft was begun: then nothing sends it before a person decides.
    package let isHalfCancelled: Bool
  }

  /// The entry with a message of that id which is sent, or waits for a person; nil where there is none: one that was discarded
  /// or taken back as a draft sends nothing.
  package func queued(_ id: MessageID) throws(Explanation) -> Queued? {
    let wanted = [ASCII.lessThan] + id.octets + [ASCII.greaterThan]
    do throws(SpoolError) {
      for item in try outbox.listing(of: [sender.name]).items {
        guard let content = item.content, content.entry.action.messageID == wanted,
          !content.progress.isCancelled
        else { continue }
        return Queued(id: item.id, isHalfCancelled: content.progress.isHalfCancelled)
      }
      return nil
    } catch {
      throw error.explanation
    }
  }

  /// The answer that waits in the queue, if it is the last one there about its event: a command that was cut short queued it.
  ///
  /// - Throws: that the queue cannot be read.
  package func queued(_ answer: AnswerID) throws(Explanation) -> Entry? {
    do throws(SpoolError) {
      for item in try outbox.items(of: [sender.name], in: [.queue, .hold]).reversed() {
        guard let content = item.content, case .send = content.entry.action,
          !content.progress.isCancelled, !content.progress.isHalfCancelled,
          let id = content.entry.action.messageID,
          let isSame = answer.isSame(as: id)
        else { continue }
        return isSame ? content.entry : nil
      }
      return nil
    } catch {
      throw error.explanation
    }
  }

  /// Waits until an entry is due, or no longer pending.
  package func wait(for entry: Entry, until schedule: ScheduledTime) -> ScheduledTime.WaitEnd {
    schedule.wait(for: entry.id, of: sender.name, in: outbox)
  }

  /// Tries to send what is in the queue, and says what became of one entry.
  ///
  /// Whatever goes wrong now, the message is in the queue.
  package func attempt(_ entry: Entry) -> Result {
    var options = AccountFlush.Options.brief
    options.connectLimit = Self.connectLimit
    options.queue.fresh = entry.id
    // What is wrong with it is for programs to report that say more than what became of one message.
    options.journal = DeliveryJournal(configuration.deliveryLog)
    let report: QueueReport
    do throws(SpoolError) {
      let outcome = try AccountFlush(configuration, outbox, options: options).flushQueue(
        sender.name,
        interruption: .shared,
        report: { _ in }
      )
      report = outcome.queue
    } catch {
      return .queued([UInt8](error.explanation.what.utf8))
    }
    let result = result(of: entry, report)
    FailureNotices(configuration, outbox).deliver(report.failed, of: sender.name)
    return result
  }

  /// What became of an entry that another program may have worked on.
  package func result(of entry: Entry) -> Result { result(of: entry, nil) }

  private func result(of entry: Entry, _ report: QueueReport?) -> Result {
    do throws(SpoolError) {
      // Some may be refused while others are served.
      let failed = try outbox.items(of: [sender.name], matching: entry.id.octets, in: [.failed])
      if let item = failed.first(where: { !$0.isSentWithoutCopy }) { return Self.failure(item) }
      switch try outbox.outcome(of: entry.id, in: sender.name) {
      case .done: return .sent
      case .cancelled: return .cancelled
      case .present(let item): return result(of: item, report)
      }
    } catch {
      return .queued([UInt8](error.explanation.what.utf8))
    }
  }

  private func result(of item: QueuedItem, _ report: QueueReport?) -> Result {
    switch item.state {
    case .failed: return Self.failure(item)
    case .hold: return .held(item.content?.progress.lastWords)
    case .discarded: return .cancelled
    case .queue:
      // Nothing is left but the copy.
      if let progress = item.content?.progress, progress.open.isEmpty, progress.isAccepted {
        return .sent
      }
      let failure = report?.failure.map { [UInt8](FailureText.text($0).utf8) }
      return .queued(report?.block?.words ?? failure ?? item.content?.progress.lastWords)
    }
  }

  private static func failure(_ item: QueuedItem) -> Result {
    if item.isSentWithoutCopy { return .uncopied(item.content?.progress.lastWords) }
    return .failed(item.content?.progress.lastWords ?? [UInt8](ascii: "damaged"))
  }
}
