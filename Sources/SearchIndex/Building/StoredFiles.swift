internal import Maildir
internal import Platform

/// All files of a Maildir by number, with their names on disk, so that there may be millions of them.
///
/// The files of a folder have numbers side by side, nearly in the order of their keys: by name, symbolic links last.
final class StoredFiles: Sendable {
  private let descriptor: Descriptor
  /// Where the entry of each file begins, and where that of the last one ends.
  private let offsets: [UInt64]
  /// The numbers of the files in each folder, by its number.
  let folders: [Range<Int>]

  fileprivate init(_ descriptor: consuming Descriptor, _ offsets: [UInt64], _ folders: [Range<Int>])
  {
    self.descriptor = descriptor
    self.offsets = offsets
    self.folders = folders
  }

  /// How many there are.
  var count: Int { offsets.count - 1 }

  /// Some files that follow each other.
  ///
  /// - Throws: the error of reading their names.
  func files(_ range: Range<Int>) throws(IndexError) -> [StoredFile] {
    let (start, end) = (offsets[range.lowerBound], offsets[range.upperBound])
    var octets: [UInt8] = []
    do throws(SystemError) {
      while octets.count < Int(end - start) {
        let place = Int64(start) + Int64(octets.count)
        let more = try descriptor.read(atMost: Int(end - start) - octets.count, at: place)
        if more.isEmpty { break }
        octets += more
      }
    } catch {
      throw .system(error)
    }
    var reader = OctetReader(octets)
    let files = range.map { _ in StoredFile(&reader) }
    if reader.isCut { throw .damaged("the list of files was cut short") }
    return files
  }

  /// One file.
  ///
  /// - Throws: as ``files(_:)``.
  func file(_ number: Int) throws(IndexError) -> StoredFile {
    try files(number..<(number + 1))[0]
  }
}

/// Writes ``StoredFiles`` folder by folder.
struct StoredFilesWriter: ~Copyable {
  private let descriptor: Descriptor
  private var offsets: [UInt64] = [0]
  private var folders: [Range<Int>] = []
  private var buffer = OctetWriter()
  private var written: UInt64 = 0

  private static let bufferSize = 1 << 16

  /// One that keeps names in a new file.
  ///
  /// - Throws: the error of making the file.
  init(_ path: Path) throws(IndexError) {
    do throws(SystemError) {
      descriptor = try Descriptor.open(path, .createExclusive())
    } catch {
      throw .system(error)
    }
  }

  /// Adds the files of the next folder.
  ///
  /// - Throws: the error of writing their names.
  mutating func add(_ files: MaildirListing.Files) throws(IndexError) {
    let first = offsets.count - 1
    for position in files.table.sortedPositions { try add(files.table[position]) }
    for file in files.linked { try add(file) }
    folders.append(first..<(offsets.count - 1))
  }

  private mutating func add(_ file: ScannedFile) throws(IndexError) {
    StoredFile(folder: folders.count, file).write(to: &buffer)
    offsets.append(written + UInt64(buffer.octets.count))
    if buffer.octets.count > Self.bufferSize { try flush() }
  }

  private mutating func flush() throws(IndexError) {
    do throws(SystemError) {
      try descriptor.write(all: buffer.octets)
    } catch {
      throw .system(error)
    }
    written += UInt64(buffer.octets.count)
    buffer = OctetWriter()
  }

  /// All that were added.
  ///
  /// - Throws: as ``add(_:)``.
  consuming func finish() throws(IndexError) -> StoredFiles {
    try flush()
    return StoredFiles(descriptor, offsets, folders)
  }
}
