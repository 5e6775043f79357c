internal import Platform

/// The stamps of a Maildir's two directories.
struct MaildirStamps: Hashable {
  var new: FileStamp
  var cur: FileStamp

  /// Stamps that a scan took.
  init(new: FileStamp, cur: FileStamp) {
    self.new = new
    self.cur = cur
  }

  /// The stamps as they are now; nil when a directory cannot be looked at.
  init?(of maildir: Path) {
    guard let new = (try? FileSystem.status(maildir.appending("new")))?.stamp,
      let cur = (try? FileSystem.status(maildir.appending("cur")))?.stamp
    else { return nil }
    self.init(new: new, cur: cur)
  }

  /// Whether a change from now on is sure to show in them.
  var areReliable: Bool {
    let now = Clock.nowNanoseconds()
    return new.isReliable(now: now) && cur.isReliable(now: now)
  }
}
