internal import Maildir
internal import Platform

/// All files of a Maildir by number, with their names on disk, so that there may be millions of them.
///
/// The files of a folder have numbers side by side, nearly in the order of their keys: by name, symbolic links last.
final class StoredFiles: Sendable {
  private let descriptor: Descriptor
  private let offsets: FileOffsets
  /// The numbers of the files in each folder, by its number.
  let folders: [Range<Int>]

  fileprivate init(
    _ descriptor: consuming Descriptor,
    _ offsets: FileOffsets,
    _ folders: [Range<Int>]
  ) {
    self.descriptor = descriptor
    self.offsets = offsets
    self.folders = folders
  }

  /// How many there are.
  var count: Int { offsets.count }

  /// Some files that follow each other.
  ///
  /// - Throws: the error of reading their names.
  func files(_ range: Range<Int>) throws(IndexError) -> [StoredFile] {
    let (place, before) = offsets.place(of: range)
    var octets: [UInt8] = []
    do throws(SystemError) {
      while octets.count < place.count {
        let start = Int64(place.lowerBound + octets.count)
        let more = try descriptor.read(atMost: place.count - octets.count, at: start)
        if more.isEmpty { break }
        octets += more
      }
    } catch {
      throw .system(error)
    }
    var reader = OctetReader(octets)
    for _ in 0..<before { _ = StoredFile(&reader) }
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

/// Where the entries of files lie, of which only every eighth is kept in memory.
private struct FileOffsets {
  private static let step = 8

  /// Where the first, ninth, seventeenth … entry begins.
  private var starts: [Int] = []
  /// Where the last one ends.
  private var end = 0
  private(set) var count = 0

  /// Adds an entry behind the others.
  mutating func add(size: Int) {
    if count % Self.step == 0 { starts.append(end) }
    end += size
    count += 1
  }

  /// A part of the file that has some entries in it, and how many others before them.
  func place(of files: Range<Int>) -> (octets: Range<Int>, before: Int) {
    let (first, behind) = (
      files.lowerBound / Self.step, (files.upperBound + Self.step - 1) / Self.step
    )
    let (start, stop) = (
      first < starts.count ? starts[first] : end, behind < starts.count ? starts[behind] : end
    )
    return (start..<stop, files.lowerBound % Self.step)
  }
}

/// Writes ``StoredFiles`` folder by folder.
struct StoredFilesWriter: ~Copyable {
  private let descriptor: Descriptor
  private var offsets = FileOffsets()
  private var folders: [Range<Int>] = []
  private var buffer = OctetWriter()

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
    let first = offsets.count
    for position in files.table.sortedPositions { try add(files.table[position]) }
    for file in files.others { try add(file) }
    folders.append(first..<offsets.count)
  }

  private mutating func add(_ file: ScannedFile) throws(IndexError) {
    let before = buffer.octets.count
    StoredFile(folder: folders.count, file).write(to: &buffer)
    offsets.add(size: buffer.octets.count - before)
    if buffer.octets.count > Self.bufferSize { try flush() }
  }

  private mutating func flush() throws(IndexError) {
    do throws(SystemError) {
      try descriptor.write(all: buffer.octets)
    } catch {
      throw .system(error)
    }
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
