import Octets

/// The files of a message while they are changed, in their order; a thousand copies cost no more each than one.
struct FileList {
  private var slots: [StoredFile?]
  private var places: [StoredFile: Int]
  private var emptied = 0

  init(_ files: [StoredFile]) {
    slots = files
    places = Dictionary(first: zip(files, files.indices))
  }

  /// All of them.
  var files: [StoredFile] { slots.compactMap { $0 } }

  /// The first of them.
  var first: StoredFile? { slots.lazy.compactMap { $0 }.first }

  var isEmpty: Bool { places.isEmpty }

  func contains(_ file: StoredFile) -> Bool { places[file] != nil }

  /// Adds a file behind the others; one that is there stays where it is.
  mutating func append(_ file: StoredFile) {
    guard places[file] == nil else { return }
    places[file] = slots.count
    slots.append(file)
  }

  /// Takes a file out, if it is there.
  mutating func remove(_ file: StoredFile) {
    guard let place = places.removeValue(forKey: file) else { return }
    slots[place] = nil
    emptied += 1
    if emptied > places.count + 16 { self = FileList(files) }
  }
}
