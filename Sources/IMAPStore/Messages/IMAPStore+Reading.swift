internal import IMAP
internal import MailModel
internal import MailStore
internal import MessageContent
internal import SyncPlan

// What mailboxes and messages are like.
extension IMAPStore {
  /// All questions in one flight, but for those that were sent already.
  func expect(_ questions: [MailboxQuestion]) throws(SyncFailure) {
    early = [:]
    let questions = questions.filter { !isExpected($0) }
    let limit = EarlyMessages.limit(for: questions.reduce(0) { $0 + Int($1.newMessages) })
    for question in questions {
      var reader = RemoteReader(session, question.name)
      let octets = question.newMessages > 0 ? limit : nil
      guard let token = question.token, reader.ask(since: token, octetsOfNew: octets)
      else { continue }
      expected.append((question, reader))
    }
    try connection.flush()
  }

  private func isExpected(_ question: MailboxQuestion) -> Bool {
    expected.contains { $0.question.name == question.name && $0.question.token == question.token }
  }

  /// An answer that leaves something to be asked is of use only as long as its mailbox is open: where others were opened
  /// behind it, it is asked for anew.
  func read(_ question: MailboxQuestion) throws(SyncFailure) -> RemoteMailbox {
    guard let place = expected.firstIndex(where: { $0.question.name == question.name }) else {
      try takeAnswers(before: expected.endIndex)
      var reader = RemoteReader(session, question.name)
      return try reader.read(question)
    }
    try takeAnswers(before: place + 1)
    var reader = expected.remove(at: place).reader
    early[question.name] = reader.early
    if !reader.isSettled(by: question) {
      try takeAnswers(before: expected.endIndex)
      if session.selected != question.name { reader = RemoteReader(session, question.name) }
    }
    return try reader.read(question)
  }

  /// Takes the answers to the first of the questions that were sent.
  func takeAnswers(before end: Int) throws(SyncFailure) {
    for place in expected.indices.prefix(end) { try expected[place].reader.takeAnswer() }
  }

  func open(_ name: MailboxName, forChanges: Bool) throws(SyncFailure) -> RemoteMailbox {
    try session.open(name, forChanges: forChanges)
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
  ) throws(SyncFailure) -> [UInt32: ContentIdentity] {
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
    try session.open(mailbox)
    return try ContentQueries(connection).sections(orders)
  }

  func messages(
    withID identifier: [UInt8],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32]? {
    try session.open(mailbox)
    return try MessageSearch(connection).messages(withID: identifier)
  }

  func find(
    _ wanted: [WantedArrival],
    besides claimed: Set<UInt32>,
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [RemoteMessage?] {
    try session.open(mailbox)
    var search = ArrivalSearch(connection, interruption, claimed: claimed)
    return try search.find(wanted)
  }

  /// Asks about messages of a mailbox, which is opened for it; asks nothing where there are none.
  private func ask<Answer>(
    about uids: [UInt32],
    in mailbox: MailboxReference,
    _ question: (ContentQueries) throws(SyncFailure) -> [UInt32: Answer]
  ) throws(SyncFailure) -> [UInt32: Answer] {
    guard !uids.isEmpty else { return [:] }
    try session.open(mailbox)
    return try question(ContentQueries(connection))
  }
}
