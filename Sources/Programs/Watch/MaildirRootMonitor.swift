internal import Platform
internal import WatchPlan

/// Whether the folders of a watched account are still those that are watched, as far as their root shows it after each sync.
///
/// No event tells of a root that was replaced from further above: as where a directory there has another name now, or a link
/// another target.
struct MaildirRootMonitor: Sendable {
  private struct Identity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
  }

  private let root: Path
  private var seen: Identity?
  private var wasAway = false

  /// The root as it is now, before its folders are watched.
  init(_ root: Path) {
    self.root = root
    seen = Self.identity(of: root)
  }

  /// A sync ended; gives whether the folders may be others than those that were watched.
  mutating func isAnother(after end: SyncEnd) -> Bool {
    let now = Self.identity(of: root)
    let isBack = wasAway && end != .away
    let isOther = now != nil && now != seen
    (seen, wasAway) = (now ?? seen, end == .away)
    return isBack || isOther
  }

  private static func identity(of root: Path) -> Identity? {
    guard let status = try? FileSystem.status(root) else { return nil }
    return Identity(device: status.fingerprint.device, inode: status.fingerprint.inode)
  }
}
