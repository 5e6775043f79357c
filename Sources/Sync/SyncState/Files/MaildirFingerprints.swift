package import Platform

/// The fingerprints of a Maildir's two directories.
package struct MaildirFingerprints: Hashable {
  package var new: FileFingerprint
  package var cur: FileFingerprint

  package init(new: FileFingerprint, cur: FileFingerprint) {
    self.new = new
    self.cur = cur
  }

  /// The fingerprints as they are now; nil when a directory cannot be looked at.
  package init?(of maildir: Path) {
    guard let new = (try? FileSystem.status(maildir.appending("new")))?.fingerprint,
      let cur = (try? FileSystem.status(maildir.appending("cur")))?.fingerprint
    else { return nil }
    self.init(new: new, cur: cur)
  }

  /// When a name changed last, in nanoseconds since 1970.
  package var changed: Int64 { max(new.changed, cur.changed) }

  /// Whether a name changed at that moment or later, in nanoseconds since 1970.
  package func areChanged(since moment: Int64) -> Bool {
    changed >= moment
  }

  /// Whether a change from now on is sure to show in them.
  package var areReliable: Bool {
    let now = Clock.nowNanoseconds()
    return new.isReliable(now: now) && cur.isReliable(now: now)
  }
}
