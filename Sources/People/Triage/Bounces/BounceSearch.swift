internal import Configuration
internal import Correspondence
internal import MIME
internal import MailModel
internal import Maildir
internal import Octets
internal import Platform
internal import Query
internal import SearchIndex

/// Finds reports of failures in an account, and the messages of its sent mail that they are of.
struct BounceSearch {
  /// A message of the sent mail.
  struct Sent {
    let found: FoundMessage
    /// Its files in that folder; never empty.
    let files: [TargetFile]
    let header: Header
  }

  /// More of a message is not read, and of all reports together, in octets.
  private static let (readLimit, totalLimit) = (1 << 20, 16 << 20)
  /// How many reports are read, the newest first.
  private static let reportLimit = 200

  private let account: Account
  private let sentFolder: [UInt8]
  private let sentMail: SentMail
  private let folders: AccountFolders
  private let accounts: [Account]
  private let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }
  private let own: OwnAddresses

  /// Nil where the account has no index or no sent mail.
  init?(_ account: Account, _ configuration: Configuration) throws(Explanation) {
    let folders = AccountFolders(account)
    guard account.isIndexed, let sent = try folders.sentMail() else { return nil }
    (self.account, self.folders) = (account, folders)
    (sentFolder, sentMail) = sent
    accounts = configuration.accounts
    own = OwnAddresses(of: configuration)
  }

  // MARK: Reports

  /// A message that reports failures, with the files of it that count.
  struct Report {
    let found: FoundMessage
    let files: [TargetFile]
    let content: DeliveryReport
  }

  /// Reports of which nothing is recorded yet, not older than so many seconds since 1970.
  func newReports(
    since start: Int64,
    _ configuration: Configuration
  ) throws(Explanation) -> [Report] {
    let query = try configuration.query(
      "mimetype:message/delivery-status or mimetype:message/global-delivery-status "
        + "or from:mailer-daemon or from:postmaster",
      now: start
    )
    let isNew = Query.not(.exact(.tag, BounceTag.bounce))
    return try reports(
      .and([query, isNew, .date(DateRange(first: start, last: nil))])
    )
  }

  /// Reports that were believed.
  func knownReports() throws(Explanation) -> [Report] {
    try reports(.exact(.tag, BounceTag.bounce))
  }

  /// Not those of Trash, and none of the queue here, whose failures are known.
  private func reports(_ query: Query) throws(Explanation) -> [Report] {
    var reports: [Report] = []
    var left = Self.totalLimit
    for message in try messages(query).prefix(Self.reportLimit)
    where !message.id.reversed().starts(with: Self.ownSuffix.reversed()) {
      var files: [TargetFile] = []
      for file in TargetFile.all(of: message, account) {
        switch try folders.role(of: file.folder) {
        case .trash, .drafts, .sent: continue
        default: if !file.file.name.flags.contains(.draft) { files.append(file) }
        }
      }
      let limit = min(Self.readLimit, left)
      guard limit > 0 else { break }
      guard let octets = first(files, { try? Descriptor.open($0, .read).read(atMost: limit) })
      else {
        continue
      }
      left -= octets.count
      guard let content = DeliveryReport(Message(octets), decoder) else { continue }
      reports.append(Report(found: message, files: files, content: content))
    }
    return reports
  }

  /// What ends the ids of reports that are written here.
  private static let ownSuffix = [UInt8](ascii: ".magnum@localhost")

  // MARK: Sent mail

  /// The messages of some ids in the folder of sent mail.
  func sent(_ ids: Set<[UInt8]>) throws(Explanation) -> [Sent] {
    if ids.isEmpty { return [] }
    return try sent(.or(ids.map { .exact(.id, $0) }))
  }

  /// The messages in the folder of sent mail that did not reach a recipient.
  func bounced(_ id: [UInt8]? = nil) throws(Explanation) -> [Sent] {
    let tagged = Query.exact(.tag, BounceTag.bounced)
    return try sent(id.map { .and([tagged, .exact(.id, $0)]) } ?? tagged)
  }

  /// How many messages in the folder of sent mail did not reach a recipient.
  func bouncedCount() throws(Explanation) -> Int {
    try messages(inSent(.exact(.tag, BounceTag.bounced))).count { !sentFiles(of: $0).isEmpty }
  }

  private func inSent(_ query: Query) -> Query { .and([sentMail.query, query]) }

  private func sent(_ query: Query) throws(Explanation) -> [Sent] {
    try messages(inSent(query)).compactMap { message in
      let files = sentFiles(of: message)
      guard let header = first(files, { Header(ofFile: $0) }) else { return nil }
      return Sent(found: message, files: files, header: header)
    }
  }

  private func sentFiles(of message: FoundMessage) -> [TargetFile] {
    guard message.files.contains(where: { sentMail.holds($0, of: message) }) else { return [] }
    return TargetFile.all(of: message, account).filter { $0.folder == sentFolder }
  }

  /// The recipients of a sent message whom a report names, as far as that is believed.
  func failures(in report: Report, of sent: Sent) -> [FailedRecipient] {
    BounceDecision.failures(in: report.content, of: sent.header, by: own, decoder)
  }

  // MARK: Files

  private func messages(_ query: Query) throws(Explanation) -> [FoundMessage] {
    let asked = AskedQuery(query, .read, TargetRules())
    return try AskedQuery.results(of: [asked], in: account).first?.messages ?? []
  }

  /// What is read of the first file that is there; nil where all are gone.
  private func first<Content>(_ files: [TargetFile], _ read: (Path) -> Content?) -> Content? {
    for file in files {
      if let content = MessageFile(file.path).currentPath().flatMap(read) { return content }
    }
    return nil
  }
}
