internal import Octets
internal import Platform
package import Query
internal import Threads

// What is kept with documents. The library has them in the order of their numbers: read in that order, each of its blocks is
// read once.
extension IndexSnapshot {
  /// The threads of documents, in their order.
  func threads(of numbers: [UInt32]) throws(IndexError) -> [ThreadID] {
    let order = Self.ascending(numbers)
    let values = try database.values(order.map { numbers[$0] }, Schema.Slot.thread)
    var threads = [ThreadID](repeating: ThreadID(rawValue: 0), count: numbers.count)
    for (place, value) in zip(order, values) {
      threads[place] = ThreadID(rawValue: UInt64(octets: value))
    }
    return threads
  }

  /// What `read` makes of each of some documents, in their order; it is given the place of one among them.
  func readDocuments<Result>(
    _ numbers: [UInt32],
    _ read: (Int) throws(IndexError) -> Result
  ) throws(IndexError) -> [Result] {
    var results = [Result?](repeating: nil, count: numbers.count)
    for place in Self.ascending(numbers) { results[place] = try read(place) }
    return results.compactMap { $0 }
  }

  /// The places of numbers, the smallest first.
  private static func ascending(_ numbers: [UInt32]) -> [Int] {
    numbers.indices.sorted { numbers[$0] < numbers[$1] }
  }

  /// A message, with as much of it as is wanted.
  func message(
    _ number: UInt32,
    _ thread: ThreadID,
    isMatch: Bool,
    _ detail: ResultDetail
  ) throws(IndexError) -> FoundMessage {
    let record = try Record(database.data(number), detail)
    var tags = record.tags
    if record.files.contains(where: { folders.isInbox($0.folder) }) { tags.insert(.inbox) }
    for file in record.files { tags.formUnion(keywords.tags(of: file)) }
    tags.formUnion(record.keywords.map(\.tag))
    return FoundMessage(
      id: record.id,
      thread: thread,
      date: record.date,
      size: record.size,
      subject: record.subject,
      from: record.from,
      to: record.to,
      cc: record.cc,
      snippet: record.snippet,
      tags: tags.sorted(),
      files: found(record.files),
      isMatch: isMatch,
      member: record.member,
      content: record.content
    )
  }

  /// The files of what a query finds, those of each message side by side.
  package func files(
    of query: Query,
    _ order: SearchOrder,
    limit: Int
  ) throws(IndexError) -> [FoundFile] {
    let numbers = try found(try compiler.compile(query), order, offset: 0, limit: limit)
    let files = try readDocuments(numbers) { (place) throws(IndexError) in
      found(try Record.files(database.data(numbers[place])))
    }
    return files.flatMap { $0 }
  }

  private func found(_ files: [StoredFile]) -> [FoundFile] {
    sorted(files).map { file in
      let (maildir, display) = words(for: file.folder)
      return FoundFile(maildir: maildir, folder: display, file: file.scanned)
    }
  }

  /// Files in an order that does not depend on when they came.
  private func sorted(_ files: [StoredFile]) -> [StoredFile] {
    if files.count < 2 { return files }
    let names = Dictionary(first: files.map { ($0.folder, folders.name($0.folder)) })
    return files.sorted { one, other in
      if one.folder == other.folder { return one.name.lexicographicallyPrecedes(other.name) }
      return names[one.folder, default: []].lexicographicallyPrecedes(
        names[other.folder, default: []]
      )
    }
  }

  private func words(for folder: Int) -> (maildir: Path, display: [UInt8]) {
    if let words = folderWords[folder] { return words }
    let name = folders.name(folder)
    let words = (place.root.appending(name), FolderWords.display(name))
    folderWords[folder] = words
    return words
  }
}
