internal import Octets
internal import Platform

/// What a file was like when its message was read, to see whether its name is another file's now.
struct FileMark: Hashable {
  /// The lowest bits of its inode, which directories tell without a look at each file.
  let inode: UInt32
  /// A checksum of its size and of when its content last changed, which copies keep that archives make.
  let version: UInt32

  init(inode: UInt32, version: UInt32) {
    self.inode = inode
    self.version = version
  }

  init(_ status: FileStatus) {
    var hash = Hash64()
    hash.update(UInt64(bitPattern: status.size))
    hash.update(UInt64(bitPattern: status.fingerprint.modified))
    self.init(
      inode: UInt32(truncatingIfNeeded: status.fingerprint.inode),
      version: UInt32(truncatingIfNeeded: hash.value)
    )
  }
}

/// What is kept under the key of a file.
struct FileEntry: Hashable {
  /// The document of its message.
  let document: UInt32
  /// What it was like; nil where an earlier version of the program did not keep that.
  let mark: FileMark?
  /// ``MessageContent/variant`` of the file; nil where an earlier version did not keep that.
  let variant: UInt32?

  init(document: UInt32, _ mark: FileMark?, variant: UInt32? = nil) {
    self.document = document
    self.mark = mark
    self.variant = variant
  }

  /// An entry as ``octets`` keeps it; nil for none.
  ///
  /// Earlier versions take what the fourth octet to the eighth say for the document, or all where there are four.
  init?(_ octets: some Collection<UInt8>) {
    let numbers = stride(from: 0, to: octets.count, by: 4).map {
      UInt32(truncatingIfNeeded: UInt64(octets: octets.dropFirst($0).prefix(4)))
    }
    guard let first = numbers.first else { return nil }
    if numbers.count < 3 {
      self.init(document: first, nil)
    } else {
      self.init(
        document: numbers[1],
        FileMark(inode: first, version: numbers[2]),
        variant: numbers.count > 3 ? numbers[3] : nil
      )
    }
  }

  var octets: [UInt8] {
    var numbers = mark.map { [$0.inode, document, $0.version] } ?? [document]
    if mark != nil, let variant { numbers.append(variant) }
    return numbers.flatMap { Schema.octets(UInt64($0)).suffix(4) }
  }
}

/// The files of a folder by their keys, in ascending order.
struct FileEntries {
  let keys: TermList
  private let values: TermList

  /// No files.
  init() { self.init(TermList(), TermList()) }

  /// The values of keys, in their order.
  init(_ keys: TermList, _ values: TermList) {
    self.keys = keys
    self.values = values
  }

  /// What is kept under the key at a place.
  subscript(place: Int) -> FileEntry? { FileEntry(values[place]) }
}
