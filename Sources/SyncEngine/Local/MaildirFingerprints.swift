internal import Platform

/// The fingerprints of a Maildir's two directories.
struct MaildirFingerprints: Hashable {
  var new: FileFingerprint
  var cur: FileFingerprint

  /// Fingerprints that a scan took.
  init(new: FileFingerprint, cur: FileFingerprint) {
    self.new = new
    self.cur = cur
  }

  /// The fingerprints as they are now; nil when a directory cannot be looked at.
  init?(of maildir: Path) {
    guard let new = (try? FileSystem.status(maildir.appending("new")))?.fingerprint,
      let cur = (try? FileSystem.status(maildir.appending("cur")))?.fingerprint
    else { return nil }
    self.init(new: new, cur: cur)
  }

  /// Whether a change from now on is sure to show in them.
  var areReliable: Bool {
    let now = Clock.nowNanoseconds()
    return new.isReliable(now: now) && cur.isReliable(now: now)
  }
}
