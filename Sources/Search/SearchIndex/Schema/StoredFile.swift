internal import Maildir
internal import Octets
internal import Platform

/// A file of a message as the index keeps it.
struct StoredFile: Hashable {
  /// The number of its folder.
  var folder: Int
  /// Whether it lies in `new`, not in `cur`.
  var isNew: Bool
  /// Its name, with flags.
  var name: [UInt8]

  init(folder: Int, isNew: Bool, name: [UInt8]) {
    self.folder = folder
    self.isNew = isNew
    self.name = name
  }

  init(folder: Int, _ file: ScannedFile) {
    self.init(folder: folder, isNew: file.subdirectory == .new, name: file.name.octets)
  }

  /// A file as ``write(to:)`` keeps it.
  init(_ reader: inout OctetReader) {
    let place = reader.count()
    self.init(folder: place / 2, isNew: place % 2 == 1, name: reader.text())
  }

  func write(to writer: inout OctetWriter) {
    writer.add(folder * 2 + (isNew ? 1 : 0))
    writer.add(name)
  }

  /// The letters in its name that stand for keywords.
  var keywordLetters: [UInt8] {
    FileName(name).otherLetters.filter { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
  }

  /// The file as Maildir knows it.
  var scanned: ScannedFile {
    ScannedFile(name: FileName(name), subdirectory: isNew ? .new : .cur)
  }
}

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

  /// Whether the file at a place had an inode with these lowest bits; nil for none means any.
  func hasInode(_ inode: UInt32?, at place: Int) -> Bool {
    values.read(place) { octets in
      guard octets.count >= 12 else { return false }
      guard let inode else { return true }
      return UInt32(bigEndian: octets.loadUnaligned(as: UInt32.self)) == inode
    }
  }
}
