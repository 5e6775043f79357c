import MailModel
import Maildir
import Octets
import Platform
import Query
import SearchIndex
import TestSupport
import Threads

/// A Maildir of a test with its index.
struct Mailbox {
  let directory: TempDirectory
  let root: String
  var index: SearchIndex
  /// The servers whose verdicts are believed.
  var servers = TrustedServers.none

  init(subjects: SubjectThreading = .all) throws {
    directory = try TempDirectory()
    root = "\(directory.path)/mail"
    try FileSystem.makeDirectories(Path(root))
    index = SearchIndex(try IndexPlace.of(Path(root)))
    index.subjects = subjects
    index.interruption = Interruption()
    index.wait = 5
  }

  /// Writes a file such as `Lists/swift/cur/1:2,S`, or one beside `cur`; its folder is made if it is not there.
  func write(_ path: String, _ octets: [UInt8]) throws {
    let isMail = ["cur", "new"].contains(path.split(separator: "/").dropLast().last)
    let folder = folder(isMail ? path : "\(path)/-")
    for sub in ["cur", "new", "tmp"] { try makeDirectories("\(root)/\(folder)/\(sub)") }
    let file = try Descriptor.open(Path("\(root)/\(path)"), .truncate)
    try file.write(all: octets)
  }

  func remove(_ path: String) throws { try FileSystem.remove(Path("\(root)/\(path)")) }

  func rename(_ path: String, _ new: String) throws {
    for sub in ["cur", "new", "tmp"] { try makeDirectories("\(root)/\(folder(new))/\(sub)") }
    try FileSystem.rename(Path("\(root)/\(path)"), to: Path("\(root)/\(new)"))
  }

  /// Folder and file of such a path, as the index wants them.
  static func place(_ path: String) -> (folder: [UInt8], file: ScannedFile) {
    let parts = path.split(separator: "/").map { "\($0)" }
    let folder = parts.dropLast(2).joined(separator: "/")
    let name = FileName(Array((parts.last ?? "").utf8))
    let sub: Subdirectory = parts.dropLast().last == "new" ? .new : .cur
    return (Array(folder.utf8), ScannedFile(name: name, subdirectory: sub))
  }

  /// The ids of what a query finds, sorted.
  func ids(_ text: String) throws -> [String] {
    let query = try QueryParser.parse(Array(text.utf8), Mailbox.dates)
    let found = try reader.read { (snapshot) throws(IndexError) in
      try snapshot.messages(query, .newestFirst)
    }
    return found.map { String(decoding: $0.id, as: UTF8.self) }.sorted()
  }

  func count(_ text: String) throws -> Int {
    let query = try QueryParser.parse(Array(text.utf8), Mailbox.dates)
    return try reader.read { (snapshot) throws(IndexError) in try snapshot.count(query) }
  }

  func threads(_ text: String) throws -> [FoundThread] {
    let query = try QueryParser.parse(Array(text.utf8), Mailbox.dates)
    return try reader.read { (snapshot) throws(IndexError) in
      try snapshot.threads(query, .newestFirst)
    }
  }

  /// All that an index knows: two indexes of the same mail say the same, except for the names of files where these differ.
  func everything(names: Bool = true) throws -> [String] {
    try threads("*").map { thread in
      thread.messages.map { message in
        let files = message.files.map {
          "\(String(decoding: $0.folder, as: UTF8.self))/\($0.file.subdirectory)/"
            + (names ? String(decoding: $0.file.name.octets, as: UTF8.self) : "")
        }
        let tags = message.tags.map(\.rawValue).joined(separator: ",")
        let people = [UInt8](
          (message.from + message.to + message.cc).map(\.text).joined(separator: [0x2C])
        )
        let words = [message.id, message.subject, message.snippet, people]
          .map { String(decoding: $0, as: UTF8.self) }.joined(separator: "|")
        return "\(thread.id) \(words) \(message.size) [\(tags)] \(files)"
      }.sorted().joined(separator: " + ")
    }.sorted()
  }

  var reader: IndexReader { IndexReader(index.place, account: "work", servers: servers) }

  static let dates = DateContext(now: 1_795_267_845)

  private func folder(_ path: String) -> String {
    path.split(separator: "/").dropLast(2).joined(separator: "/")
  }

  private func makeDirectories(_ path: String) throws {
    try FileSystem.makeDirectories(Path(path))
  }
}
