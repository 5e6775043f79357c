internal import Glibc
internal import Maildir
internal import Octets
internal import Platform

// Batches of messages that become durable together.
extension MailImport {
  func placeBatch() throws(SystemError) {
    let entries = batch.takeAll()
    guard !entries.isEmpty else { return }
    var fresh: [ImportBatch.Entry] = []
    do throws(SystemError) {
      for (entry, isThere) in zip(entries, try areThere(entries)) {
        guard isThere else {
          fresh.append(entry)
          continue
        }
        entry.message.discard()
        finish(entry.message.source, entry.offset, entry.message.messageID, .there)
      }
      let outcomes =
        options.isDryRun
        ? [] : try batch.place(fresh, target) { () throws(SystemError) in try checkRoom() }
      try count(fresh, outcomes)
    } catch {
      // What cannot be removed now is removed by the next import.
      for folder in Set(fresh.map(\.message.folder)) { try? target.removeLeftovers(in: folder) }
      throw error
    }
    progress(counts)
  }

  private func count(
    _ entries: [ImportBatch.Entry],
    _ outcomes: [Placement.Outcome]
  ) throws(SystemError) {
    var failure: SystemError?
    for (index, entry) in entries.enumerated() {
      if index < outcomes.count {
        switch outcomes[index] {
        case .placed, .adopted: break
        case .failed(let error):
          failure = failure ?? error
          continue
        case .collision:
          failure =
            failure
            ?? SystemError(operation: "rename", path: entry.message.folder.path, code: EEXIST)
          continue
        }
      }
      if entry.message.isJoined { counts.joined += 1 }
      let (subdirectory, name) = entry.message.placing
      let path = subdirectory.path(in: entry.message.folder.path).appending(name.octets)
      finish(
        entry.message.source,
        entry.offset,
        entry.message.messageID,
        .added(folder: entry.message.folder.name, path: options.isDryRun ? nil : path),
        size: entry.size
      )
    }
    if let failure { throw failure }
  }

  private func checkRoom() throws(SystemError) {
    guard try FileSystem.freeOctets(at: target.root) < Self.reserve else { return }
    throw SystemError(operation: "write", path: target.root, code: ENOSPC)
  }

  /// Removes what lies in tmp of messages that are not placed.
  func dropBatch() { for entry in batch.takeAll() { entry.message.discard() } }

  func finish(
    _ source: Path,
    _ offset: Int?,
    _ id: [UInt8]?,
    _ state: ImportState,
    size: UInt64 = 0
  ) {
    counts.add(state, size: size)
    observe(ImportEvent(source: source, offset: offset, id: id, state: state))
  }
}
