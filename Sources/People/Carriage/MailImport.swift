package import Configuration
package import MailModel
package import Platform
internal import RestorePlan
internal import SyncState

/// Brings messages from files into folders, each once; killed anywhere it leaves whole messages only, and can be run again.
package final class MailImport {
  let options: MailImportOptions
  let target: ImportTarget
  let partial: PartialFiles
  let interruption: Interruption
  let observe: (ImportEvent) -> Void
  let progress: (ImportCounts) -> Void

  /// What became of the messages so far.
  package internal(set) var counts = ImportCounts()
  var batch = ImportBatch()
  var known: KnownMessages?
  /// What the messages that were read are equal by: what comes twice is added once, as in a run that follows a killed one.
  var seen: Set<CopyKey> = []
  var ready: Set<Path> = []
  /// The folders to which labels send messages.
  var roleFolders: [MailboxRole: ImportFolder] = [:]

  /// Room that stays on the disk, in octets.
  static let reserve: UInt64 = 64 << 20

  /// An import to a place.
  ///
  /// `observe` is told of each message once it is known what became of it, `progress` of the counts now and then.
  package init(
    _ options: MailImportOptions,
    to target: ImportTarget,
    _ configuration: Configuration,
    interruption: Interruption = .shared,
    progress: @escaping (ImportCounts) -> Void,
    observe: @escaping (ImportEvent) -> Void
  ) {
    (self.options, self.target, self.interruption) = (options, target, interruption)
    partial = PartialFiles(configuration.accounts)
    (self.observe, self.progress) = (observe, progress)
  }

  /// Brings in all sources.
  ///
  /// - Throws: why it cannot go on; what was counted by then is in place.
  package func importMessages(_ search: MailSearch) throws(Explanation) -> ImportCounts {
    for source in search.sources { _ = try target.folder(source.levels) }
    if target.isByLabels {
      for role in MailboxRole.ofLabels(includingJunk: options.includesJunk) {
        roleFolders[role] = try target.folder(for: role)
      }
    }
    known = options.again ? nil : try knownMessages()
    for obstacle in search.obstacles {
      finish(obstacle.path, nil, nil, .left(obstacle.reason))
    }
    defer {
      dropBatch()
      target.removeUnused()
      // The index, which is brought up to date next, needs room of its own.
      (known, seen) = (nil, [])
      Memory.makeRoom(forMessages: counts.read)
    }
    for source in search.sources where !interruption.isRequested {
      do throws(SystemError) {
        try bring(source)
      } catch {
        throw failure(error)
      }
    }
    do throws(SystemError) { try placeBatch() } catch { throw failure(error) }
    counts.isInterrupted = interruption.isRequested
    return counts
  }

  func failure(_ error: SystemError) -> Explanation {
    let hint = "all messages counted are in place; the same command brings in the others"
    guard error.isOutOfSpace else {
      return Explanation(.cannotCreate, place: target.root.display, error.description, hint: hint)
    }
    return Explanation(.cannotCreate, place: target.root.display, "no room on the disk", hint: hint)
  }
}
