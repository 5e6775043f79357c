internal import MailModel
internal import Octets

/// Files and messages of which there is another one in the account.
extension MailboxPlanning {
  /// What a new file is a copy of, as far as the server has that; nil where it is none.
  ///
  /// What looks like a partial file, and holds what a whole message on record holds, is a copy of that.
  func copy(_ file: LocalFile) -> FileCopy? {
    guard var copy = snapshot.outside.copies[file.name] else { return nil }
    let there = copy.originals.filter { !matches.isGone($0) }
    let moved = copy.originals.filter { matches.serverMoves.departed.contains($0) }
    copy.originals =
      there.filter { !matches.isAbsent($0) } + there.filter { matches.isAbsent($0) } + moved
    return copy.originals.isEmpty ? nil : copy
  }

  /// The server has the content: it is copied there, unless the original may be on its way to be removed.
  mutating func planCopy(_ file: LocalFile, _ copy: FileCopy) {
    if matches.moves.records[Place(mailbox: snapshot.mailbox, file: file)] != nil, isPartial(file) {
      return block(.addition(name: file.name), .partial)
    }
    guard policy.pushes else { return block(.addition(name: file.name), .pullOnly) }
    guard snapshot.isWritable else { return block(.addition(name: file.name), .readOnly) }
    // It is reported: which of the two files is to go a person decides.
    if snapshot.holdsOnce, copy.twin != nil { return planAppend(file, .newHere) }
    // Of one that the server moved in this run the next one knows where it is.
    let original = copy.originals.first { !matches.isGone($0) }
    if let original, policy.copies.isOver(for: copy) {
      return add(ServerCopy(original: original, name: file.name), .copiedHere)
    }
    if let original, copy.since == nil {
      add(MailboxFact.wait(name: file.name, original: original), .copiedHere)
    }
    result.isPostponed = true
    block(.addition(name: file.name), .copied)
  }

  /// Whether a message whose file was removed here has a copy in another mailbox, which was made from here and is to stay.
  func isCopied(_ record: BaseRecord) -> Bool {
    guard SyncRule.copies.isOn, let copy = snapshot.outside.copied[record.uid] else { return false }
    return !matches.isGone(copy)
      && (!matches.isAbsent(copy) || matches.moves.movedPlace(of: copy) != nil)
  }

  /// Whether a message whose file was removed from INBOX has another label, whose file stays: it loses INBOX alone.
  func isLabelled(_ record: BaseRecord) -> Bool {
    guard SyncRule.labels.isOn, snapshot.role == .inbox else { return false }
    return snapshot.outside.labelled[record.uid]?.contains {
      !matches.isGone($0) && !matches.isAbsent($0)
    } ?? false
  }

  /// A file that was moved into a label which its message has already, with a file of its own there: the two become one.
  mutating func planTwin(_ file: LocalFile, _ twin: [UInt8]) {
    guard policy.pulls else { return block(.addition(name: file.name), .pushOnly) }
    let survivor = Survivor(directory: snapshot.directory, name: twin)
    add(.superseded(name: file.name, by: survivor), .movedOnServer)
  }
}
