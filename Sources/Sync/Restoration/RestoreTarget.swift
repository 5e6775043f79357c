internal import MailModel
internal import MailStore
internal import Maildir
internal import Platform
internal import RestorePlan

/// What goes to one mailbox.
struct RestoreTarget {
  let mailbox: MailboxName
  /// Its name for people.
  let display: String
  /// Whether it is the one for drafts.
  let holdsDrafts: Bool
  let folders: [SourceFolder]
  /// What the files hold.
  let files: [RestoredFile]
  /// Where each of them is.
  let places: [SourcePlace]
  /// Keywords of files that IMAP cannot write.
  let unstorable: Set<[UInt8]>

  /// Where a file was, by its place among the files.
  func path(_ index: Int) -> Path {
    places[index].place.path(in: folders[places[index].folder].path)
  }

  /// What a search for a file needs that may be on the server.
  func wanted(
    _ file: RestoredFile,
    from uidNext: UInt32,
    _ evidence: WantedArrival.Evidence
  ) -> WantedArrival {
    let isDraft = holdsDrafts || file.flags.system.contains(.draft)
    return WantedArrival(
      identity: file.identity,
      size: file.wireSize,
      uidNext: uidNext,
      date: file.date,
      headerKey: file.headerKey,
      evidence: isDraft && evidence == .begun ? .begunVersion : evidence
    )
  }
}
