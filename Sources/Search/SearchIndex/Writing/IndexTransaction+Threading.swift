internal import MailModel
internal import Octets
internal import Threads

// Which thread each message belongs to.
extension IndexTransaction {
  func thread(of number: UInt32) throws(IndexError) -> ThreadID {
    ThreadID(rawValue: UInt64(octets: try database.value(number, Schema.Slot.thread)))
  }

  /// Puts the newcomers into threads, and messages into other ones where that follows.
  ///
  /// What shares no link, subject or thread with a change cannot be changed by it.
  func thread() throws(IndexError) {
    let arrived = newcomers.filter { !$0.files.isEmpty }
    for newcomer in arrived { try touch(newcomer.content.record.member) }
    try touchSubjects()
    if !arrived.isEmpty { try recents.makeRoom(database) }
    guard !arrived.isEmpty || !touchedThreads.isEmpty else { return }
    let (numbers, members, names) = try residents()
    let threads = threads(of: members + arrived.map(\.content.record.member))
    for (place, thread) in threads.enumerated() {
      guard let thread else { continue }
      if place >= numbers.count {
        try add(arrived[place - numbers.count], to: thread)
      } else if names[place] != thread {
        try makeDocuments().move(numbers[place], of: database, from: names[place], to: thread)
      }
    }
    forgetChanges()
  }

  /// The thread of each message.
  private func threads(of members: [ThreadMember]) -> [ThreadID?] {
    var assigned = [ThreadID?](repeating: nil, count: members.count)
    for thread in ThreadPartition.threads(of: members, subjects: subjects) {
      let name = thread.first.map { ThreadID(oldest: members[$0].id) }
      for place in thread { assigned[place] = name }
    }
    return assigned
  }

  private func add(_ newcomer: Newcomer, to thread: ThreadID) throws(IndexError) {
    let files = newcomer.files.files
    let number = try database.add(
      try makeDocuments().make(
        newcomer.content,
        files: files,
        variants: newcomer.counts,
        keywords: keywords.keywords(of: files, folders),
        thread: thread
      )
    )
    for file in files {
      let facts = newcomer.facts[file]
      let entry = FileEntry(document: number, facts?.mark, variant: facts?.variant)
      try database.set(Schema.path(file), to: entry)
    }
  }

  private func forgetChanges() {
    newcomers.removeAll()
    newcomersByID.removeAll()
    newcomersByFile.removeAll()
    touchedThreads.removeAll()
    touchedSubjects.removeAll()
  }

  /// The threads that a message has anything to do with.
  private func touch(_ member: ThreadMember) throws(IndexError) {
    for key in [member.id] + member.links {
      guard let first = try database.postings(Schema.link(key)).first else { continue }
      // All that share a link are in one thread already.
      touchedThreads.insert(try thread(of: first))
    }
    if let subject = member.subject { touchedSubjects.insert(subject.key) }
  }

  private func touchSubjects() throws(IndexError) {
    guard subjects != .off else { return }
    for key in touchedSubjects {
      for number in try database.postings(Schema.subjectLink(key)) {
        touchedThreads.insert(try thread(of: number))
      }
    }
  }

  /// All messages of the threads concerned.
  private func residents() throws(IndexError) -> ([UInt32], [ThreadMember], [ThreadID?]) {
    var numbers: [UInt32] = []
    var members: [ThreadMember] = []
    var names: [ThreadID?] = []
    for name in touchedThreads.sorted() {
      for number in try database.postings(Schema.thread(name)) {
        numbers.append(number)
        members.append(try Record(database.data(number)).member)
        names.append(name)
      }
    }
    return (numbers, members, names)
  }
}
