/// What the accounts of a scene are set to, which its file says.
struct AccountWays: Hashable {
  /// Whether what the server loses is kept here.
  var isKeeping = false
  /// Whether the accounts limit what they fetch in a day.
  var isDaily = false
  /// Whether the accounts have a size limit, which is switched.
  var isParted = false
  /// Whether the accounts have a window, which is switched.
  var isWindowed = false
  /// Whether the server's mailboxes are labels.
  var isLabelled = false
  /// Whether the server keeps all mailboxes below INBOX.
  var isBelowInbox = false
  /// On which sides mailboxes and folders are removed: "local", "remote" or "both".
  var removal = "none"

  /// Takes a line of a scene's head; false where it is of something else.
  mutating func take(_ line: String) -> Bool {
    switch line {
    case "# keep": isKeeping = true
    case "# daily": isDaily = true
    case "# parts": isParted = true
    case "# window": isWindowed = true
    case "# labels": isLabelled = true
    case "# namespace": isBelowInbox = true
    default:
      guard line.hasPrefix("# remove: ") else { return false }
      removal = String(line.dropFirst(10))
    }
    return true
  }

  /// The lines of a scene's head.
  var lines: [String] {
    let switches = [
      (isKeeping, "# keep"), (isDaily, "# daily"), (isParted, "# parts"), (isWindowed, "# window"),
      (isLabelled, "# labels"), (isBelowInbox, "# namespace"),
    ]
    let lines = switches.filter(\.0).map(\.1)
    return removal == "none" ? lines : lines + ["# remove: \(removal)"]
  }
}

/// What of the choices of a seed is more than usual.
struct Choices {
  /// Whether runs are of the real program: what happens in their midst comes after so many milliseconds.
  var isReal = false
  /// Whether half of the runs between two judgements are a watch's.
  var isWatching = false
  /// Kinds of steps that are left out.
  var without: Set<String> = []
  /// Whether runs may postpone removals.
  var isPostponing = false
  /// Whether people work on files between two reads of directories, not only between requests.
  var isReading = false
  /// Whether runs may be of one mailbox alone.
  var isSelecting = false
  /// Whether runs may only pull, or only push.
  var isOneWay = false
  /// Whether there are messages whose headers are those of others.
  var hasTwins = false
  /// Whether other settings of accounts are switched (Settings).
  var isSwitching = false
  /// Whether a server on the machine shows the folders too, as a local Dovecot does (ServedSteps).
  var isServed = false
  /// Whether accounts remove mailboxes and folders, on sides that the seed chooses.
  var isRemoving = false
}
