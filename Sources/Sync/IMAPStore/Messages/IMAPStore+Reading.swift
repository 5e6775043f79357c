internal import IMAP
internal import MailModel
internal import MailStore
internal import MessageContent
internal import SyncPlan
internal import SyncState

// What mailboxes and messages are like.
extension IMAPStore {
  /// Where opening a mailbox does not tell UIDNEXT, STATUS is to stand before it.
  func expect(_ questions: [MailboxQuestion]) throws(SyncFailure) {
    let hidesNext = memory.traits.hidesNext
    try self.questions.send(hidesNext ? questions.filter { $0.token != nil } : questions)
    try flush()
  }

  /// An answer that leaves something to be asked is no longer usable: other mailboxes may have been opened behind it.
  func read(_ question: MailboxQuestion) throws(SyncFailure) -> RemoteMailbox {
    if let mailbox = try questions.answer(to: question) { return mailbox }
    let hidesNext = memory.traits.hidesNext
    var reader = RemoteReader(try session(), question.name, hidesNext: hidesNext)
    let mailbox = try reader.read(question)
    if mailbox.uidNext == nil, !hidesNext { memory.updateTraits { $0.hidesNext = true } }
    return mailbox
  }

  func open(_ name: MailboxName, forChanges: Bool) throws(SyncFailure) -> RemoteMailbox {
    try session().open(name, forChanges: forChanges)
  }

  func headers(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: HeaderFacts] {
    try ask(about: uids, in: mailbox) { (queries) throws(SyncFailure) in
      try queries.headers(uids)
    }
  }

  func messageIDs(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: UInt64] {
    try ask(about: uids, in: mailbox) { (queries) throws(SyncFailure) in
      try queries.messageIDs(uids)
    }
  }

  func contents(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: ReadContent] {
    try ask(about: uids, in: mailbox) { (queries) throws(SyncFailure) in
      try queries.contents(uids)
    }
  }

  func flags(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: MessageFlags] {
    try ask(about: uids, in: mailbox) { (queries) throws(SyncFailure) in
      try queries.flags(uids)
    }
  }

  func structures(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: BodyStructure] {
    try ask(about: uids, in: mailbox) { (queries) throws(SyncFailure) in
      try queries.structures(uids)
    }
  }

  func sections(
    _ orders: [SectionOrder],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [FetchedSections] {
    guard !orders.isEmpty else { return [] }
    return try ContentQueries(open(mailbox)).sections(orders)
  }

  func messages(
    withID identifier: [UInt8],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32]? {
    try MessageSearch(open(mailbox)).messages(withID: identifier)
  }

  func find(
    _ wanted: [WantedArrival],
    besides claimed: Set<UInt32>,
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [RemoteMessage?] {
    var search = ArrivalSearch(try open(mailbox), interruption, claimed: claimed)
    return try search.find(wanted)
  }

  /// Asks about messages of a mailbox, which is opened for it; asks nothing where there are none.
  private func ask<Answer>(
    about uids: [UInt32],
    in mailbox: MailboxReference,
    _ question: (ContentQueries) throws(SyncFailure) -> [UInt32: Answer]
  ) throws(SyncFailure) -> [UInt32: Answer] {
    guard !uids.isEmpty else { return [:] }
    return try question(ContentQueries(open(mailbox)))
  }
}
