/// What a mail provider offers and how it behaves.
///
/// Capabilities and names as they were seen in captures and threads of other projects; no provider was asked.
package struct Provider: Sendable, CustomStringConvertible {
  /// Its name.
  package var name: String
  /// The first line that it sends.
  package var greeting: String
  /// What it can do before and after the log-in.
  package var capabilities: (before: String, after: String)
  /// Its mailboxes with their attributes; INBOX is the first.
  package var mailboxes: [ProviderMailbox]
  /// The hierarchy separator.
  package var delimiter = "/"
  /// The mailbox to which removed messages go.
  package var trash: String
  /// An ordinary mailbox to move messages to.
  package var ordinary: String
  /// Mailboxes that only show again what lies in others, which are not mirrored.
  package var views: [String] = []
  /// Whether messages keep keywords of users.
  package var keepsKeywords = true
  /// Whether mailboxes are labels: what goes from one stays in All Mail.
  package var allMail: String?
  /// What is documented nowhere of its labels.
  package var labels = LabelHabits()
  /// Whether it opens mailboxes only to programs that told their name.
  package var needsIdentity = false
  /// Whether it drops what comes behind a log-in in one go.
  package var dropsEarlyCommands = false
  /// Whether the log-in is answered with the capabilities.
  package var tellsCapabilities = true
  /// How many octets RFC822.SIZE is too large.
  package var sizeError = 0
  /// When messages came, as it tells.
  package var internalDate = "17-Jul-1996 02:44:25 +0000"

  package var description: String { name }

  /// Dovecot as far as it matters here: all there is.
  package static let complete = Provider(
    name: "a complete server",
    greeting: "* OK [CAPABILITY IMAP4rev1 SASL-IR LITERAL+ ID ENABLE AUTH=PLAIN] ready",
    capabilities: (
      "IMAP4rev1 SASL-IR LITERAL+ ID ENABLE AUTH=PLAIN",
      "IMAP4rev1 SASL-IR ID ENABLE UNSELECT CHILDREN NAMESPACE UIDPLUS LIST-EXTENDED CONDSTORE QRESYNC ESEARCH"
        + " SEARCHRES LIST-STATUS MOVE SPECIAL-USE LITERAL+"
    ),
    mailboxes: [
      ProviderMailbox("INBOX"), ProviderMailbox("Archive", "\\Archive"),
      ProviderMailbox("Trash", "\\Trash"),
    ],
    trash: "Trash",
    ordinary: "Archive"
  )

  /// A server that can do no more than it must.
  package static let plain = Provider(
    name: "a plain server",
    greeting: "* OK ready",
    capabilities: ("IMAP4rev1", "IMAP4rev1"),
    mailboxes: complete.mailboxes,
    trash: "Trash",
    ordinary: "Archive",
    tellsCapabilities: false
  )

  /// Whether it offers something after the log-in.
  func has(_ word: String) -> Bool {
    capabilities.after.split(separator: " ").contains { $0 == word }
  }
}

extension Provider {
  /// The providers that are played.
  package static let all = [
    gmail, microsoft, iCloud, yahoo, fastmail, netEase, protonBridge, courier,
  ]

  private static func box(_ name: String, _ attributes: String = "\\HasNoChildren")
    -> ProviderMailbox
  {
    ProviderMailbox(name, attributes)
  }

  private static let gmailBefore =
    "IMAP4rev1 UNSELECT IDLE NAMESPACE QUOTA ID XLIST CHILDREN X-GM-EXT-1 XYZZY SASL-IR AUTH=XOAUTH2"
    + " AUTH=PLAIN AUTH=PLAIN-CLIENTTOKEN AUTH=OAUTHBEARER"

  /// Labels: a message is in All Mail and in each of its labels; CONDSTORE without QRESYNC.
  package static let gmail = Provider(
    name: "Gmail",
    greeting: "* OK Gimap ready for requests from 192.0.2.1 a1mb1",
    capabilities: (
      gmailBefore,
      "IMAP4rev1 UNSELECT IDLE NAMESPACE QUOTA ID XLIST CHILDREN X-GM-EXT-1 UIDPLUS COMPRESS=DEFLATE ENABLE MOVE"
        + " CONDSTORE ESEARCH UTF8=ACCEPT LIST-EXTENDED LIST-STATUS LITERAL- SPECIAL-USE APPENDLIMIT=35651584"
    ),
    mailboxes: [
      box("INBOX"), box("Work"), box("[Gmail]", "\\HasChildren \\Noselect"),
      box("[Gmail]/All Mail", "\\All \\HasNoChildren"),
      box("[Gmail]/Drafts", "\\Drafts \\HasNoChildren"),
      box("[Gmail]/Important", "\\HasNoChildren \\Important"),
      box("[Gmail]/Sent Mail", "\\HasNoChildren \\Sent"),
      box("[Gmail]/Spam", "\\HasNoChildren \\Junk"),
      box("[Gmail]/Starred", "\\Flagged \\HasNoChildren"),
      box("[Gmail]/Trash", "\\HasNoChildren \\Trash"),
    ],
    trash: "[Gmail]/Trash",
    ordinary: "Work",
    views: ["[Gmail]/All Mail", "[Gmail]/Important", "[Gmail]/Starred"],
    allMail: "[Gmail]/All Mail"
  )

  /// No CONDSTORE, ESEARCH or LIST-STATUS, no keywords, sizes that are not exact.
  package static let microsoft = Provider(
    name: "Microsoft 365",
    greeting: "* OK The Microsoft Exchange IMAP4 service is ready. [QQBBAEEA]",
    capabilities: (
      "IMAP4 IMAP4rev1 AUTH=PLAIN AUTH=XOAUTH2 SASL-IR UIDPLUS ID UNSELECT CHILDREN IDLE NAMESPACE LITERAL+",
      "IMAP4 IMAP4rev1 AUTH=PLAIN AUTH=XOAUTH2 SASL-IR UIDPLUS MOVE ID UNSELECT CLIENTACCESSRULES"
        + " CLIENTNETWORKPRESENCELOCATION BACKENDAUTHENTICATE CHILDREN IDLE NAMESPACE LITERAL+"
    ),
    mailboxes: [
      box("INBOX", "\\Marked \\HasNoChildren"), box("Archive"), box("Calendar", "\\HasNoChildren"),
      box("Deleted Items", "\\HasNoChildren \\Trash"), box("Drafts", "\\HasNoChildren \\Drafts"),
      box("Junk Email", "\\HasNoChildren \\Junk"), box("Sent Items", "\\HasNoChildren \\Sent"),
    ],
    trash: "Deleted Items",
    ordinary: "Archive",
    keepsKeywords: false,
    tellsCapabilities: false,
    sizeError: 17
  )

  /// CONDSTORE and QRESYNC without LIST-STATUS.
  package static let iCloud = Provider(
    name: "iCloud",
    greeting:
      "* OK [CAPABILITY XAPPLEPUSHSERVICE IMAP4 IMAP4rev1 SASL-IR AUTH=ATOKEN AUTH=PLAIN AUTH=XOAUTH2] iCloud ready",
    capabilities: (
      "XAPPLEPUSHSERVICE IMAP4 IMAP4rev1 SASL-IR AUTH=ATOKEN AUTH=PLAIN AUTH=XOAUTH2",
      "XAPPLEPUSHSERVICE IMAP4 IMAP4rev1 ACL QUOTA LITERAL+ NAMESPACE UIDPLUS CHILDREN BINARY UNSELECT SORT CATENATE"
        + " URLAUTH LANGUAGE ESEARCH ESORT WITHIN SEARCHRES ID CONDSTORE QRESYNC ENABLE LIST-EXTENDED SPECIAL-USE"
    ),
    mailboxes: [
      box("INBOX"), box("Archive", "\\Archive \\HasNoChildren"),
      box("Deleted Messages", "\\HasNoChildren \\Trash"), box("Drafts", "\\Drafts \\HasNoChildren"),
      box("Junk", "\\HasNoChildren \\Junk"), box("Notes"),
      box("Sent Messages", "\\HasNoChildren \\Sent"),
    ],
    trash: "Deleted Messages",
    ordinary: "Notes"
  )

  /// Nothing that tells what changed, and no keywords.
  package static let yahoo = Provider(
    name: "Yahoo",
    greeting:
      "* OK [CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN AUTH=XOAUTH2 AUTH=OAUTHBEARER ID MOVE NAMESPACE XYMHIGHESTMODSEQ"
      + " UIDPLUS LITERAL+ CHILDREN X-MSG-EXT OBJECTID] IMAP4rev1 Hello",
    capabilities: (
      "IMAP4rev1 SASL-IR AUTH=PLAIN AUTH=XOAUTH2 AUTH=OAUTHBEARER ID MOVE NAMESPACE XYMHIGHESTMODSEQ UIDPLUS LITERAL+"
        + " CHILDREN X-MSG-EXT OBJECTID",
      "IMAP4rev1 ID MOVE NAMESPACE XYMHIGHESTMODSEQ UIDPLUS LITERAL+ CHILDREN X-MSG-EXT UNSELECT OBJECTID"
    ),
    mailboxes: [
      box("INBOX"), box("Archive", "\\Archive \\HasNoChildren"),
      box("Bulk", "\\Junk \\HasNoChildren"),
      box("Draft", "\\Drafts \\HasNoChildren"), box("Sent", "\\Sent \\HasNoChildren"),
      box("Trash", "\\Trash \\HasNoChildren"), box("Receipts"),
    ],
    trash: "Trash",
    ordinary: "Receipts",
    keepsKeywords: false
  )

  /// Cyrus with all that it has; what comes behind the log-in is lost, as with Cyrus 3.6.
  package static let fastmail = Provider(
    name: "Fastmail",
    greeting:
      "* OK [CAPABILITY IMAP4rev1 LITERAL+ ID ENABLE AUTH=PLAIN SASL-IR] IMAP4 ready",
    capabilities: (
      "IMAP4rev1 LITERAL+ ID ENABLE AUTH=PLAIN SASL-IR",
      "IMAP4rev1 LITERAL+ ID ENABLE ACL ANNOTATE-EXPERIMENT-1 BINARY CATENATE CHILDREN CONDSTORE CREATE-SPECIAL-USE"
        + " ESEARCH ESORT LIST-EXTENDED LIST-STATUS MAILBOX-REFERRALS METADATA MOVE NAMESPACE OBJECTID"
        + " QRESYNC QUOTA SAVEDATE SEARCHRES SORT SPECIAL-USE STATUS=SIZE UIDPLUS UNSELECT WITHIN IDLE"
    ),
    mailboxes: [
      box("INBOX"), box("Archive", "\\HasNoChildren \\Archive"),
      box("Drafts", "\\HasNoChildren \\Drafts"), box("Sent", "\\HasNoChildren \\Sent"),
      box("Spam", "\\HasNoChildren \\Junk"), box("Trash", "\\HasNoChildren \\Trash"), box("Lists"),
    ],
    trash: "Trash",
    ordinary: "Lists",
    dropsEarlyCommands: true
  )

  /// 163: no mailbox is opened before ID, names in Chinese, LOGIN only, no MOVE, no keywords.
  package static let netEase = Provider(
    name: "163",
    greeting: "* OK Coremail System IMap Server Ready(163com[0a])",
    capabilities: (
      "IMAP4rev1 XLIST SPECIAL-USE ID LITERAL+ STARTTLS XAPPLEPUSHSERVICE UIDPLUS X-CM-EXT-1",
      "IMAP4rev1 XLIST SPECIAL-USE ID LITERAL+ STARTTLS XAPPLEPUSHSERVICE UIDPLUS X-CM-EXT-1"
    ),
    mailboxes: [
      box("INBOX", ""), box("&g0l6P3ux-", "\\Drafts"), box("&XfJT0ZAB-", "\\Sent"),
      box("&XfJSIJZk-", "\\Trash"), box("&V4NXPpCuTvY-", "\\Junk"), box("Work", ""),
    ],
    trash: "&XfJSIJZk-",
    ordinary: "Work",
    keepsKeywords: false,
    needsIdentity: true,
    tellsCapabilities: false
  )

  /// Folders and labels below names that hold no mail, All Mail; UIDVALIDITY changes when it is updated.
  package static let protonBridge = Provider(
    name: "Proton Bridge",
    greeting:
      "* OK [CAPABILITY AUTH=PLAIN ID IDLE IMAP4rev1 STARTTLS] Proton Mail Bridge 03.15.00 - gluon session ID 1",
    capabilities: (
      "AUTH=PLAIN ID IDLE IMAP4rev1 STARTTLS",
      "AUTH=PLAIN ID IDLE IMAP4rev1 MOVE STARTTLS UIDPLUS UNSELECT"
    ),
    mailboxes: [
      box("INBOX", "\\Marked"), box("All Mail", "\\All \\Noinferiors"),
      box("Archive", "\\Archive \\Noinferiors"), box("Drafts", "\\Drafts \\Noinferiors"),
      box("Folders", "\\Noselect"), box("Folders/Bills", "\\Unmarked"), box("Labels", "\\Noselect"),
      box("Sent", "\\Noinferiors \\Sent"), box("Spam", "\\Junk \\Noinferiors"),
      box("Starred", "\\Flagged \\Noinferiors"), box("Trash", "\\Noinferiors \\Trash"),
    ],
    trash: "Trash",
    ordinary: "Folders/Bills",
    views: ["All Mail", "Starred"],
    keepsKeywords: false,
    allMail: "All Mail"
  )

  /// Everything below INBOX, dots between the levels, no LITERAL+, LOGIN only.
  package static let courier = Provider(
    name: "Courier",
    greeting:
      "* OK [CAPABILITY IMAP4rev1 UIDPLUS CHILDREN NAMESPACE THREAD=ORDEREDSUBJECT THREAD=REFERENCES SORT QUOTA IDLE ACL"
      + " ACL2=UNION] Courier-IMAP ready. Copyright 1998-2022 Double Precision, Inc.",
    capabilities: (
      "IMAP4rev1 UIDPLUS CHILDREN NAMESPACE THREAD=ORDEREDSUBJECT THREAD=REFERENCES SORT QUOTA IDLE ACL ACL2=UNION",
      "IMAP4rev1 UIDPLUS CHILDREN NAMESPACE THREAD=ORDEREDSUBJECT THREAD=REFERENCES SORT QUOTA IDLE ACL ACL2=UNION"
    ),
    mailboxes: [
      box("INBOX", "\\Unmarked \\HasChildren"), box("INBOX.Drafts"), box("INBOX.Sent"),
      box("INBOX.Trash"), box("INBOX.Archive"),
    ],
    delimiter: ".",
    trash: "INBOX.Trash",
    ordinary: "INBOX.Archive",
    tellsCapabilities: false
  )
}
