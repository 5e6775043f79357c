internal import Platform

/// A file in tmp, made with the first write, removed again unless it is finished.
struct TemporaryFile: ~Copyable {
  let path: Path
  private var file: Descriptor?
  private var isMade = false

  /// The octets written so far.
  private(set) var size = 0

  init(path: Path) {
    self.path = path
  }

  deinit {
    guard isMade else { return }
    try? FileSystem.remove(path)
  }

  /// Appends octets; an empty run makes the file too.
  mutating func write(_ run: ArraySlice<UInt8>) throws(SystemError) {
    if !isMade { try make() }
    guard !run.isEmpty else { return }
    try file?.write(all: run)
    size += run.count
  }

  /// Replaces the file by one whose content is made from its own, run by run.
  mutating func rewrite(
    _ transform: (ArraySlice<UInt8>) -> [UInt8]
  ) throws(SystemError) {
    guard isMade, let old = file.take() else { return }
    try FileSystem.remove(path)
    try make()
    size = 0
    var offset: Int64 = 0
    while true {
      let run = try old.read(atMost: 64 * 1024, at: offset)
      guard !run.isEmpty else { return }
      offset += Int64(run.count)
      try write(transform(run[...])[...])
    }
  }

  /// Sets the time of last change, if one is given, closes the file and lets it stay.
  mutating func finish(modified: Int64?) throws(SystemError) {
    if let modified { try file?.setTimes(modified) }
    if let file = file.take() { try file.close() }
    isMade = false
  }

  /// Makes the file; one that is there is a leftover.
  ///
  /// Where tmp was removed it is made again, as by any client.
  private mutating func make() throws(SystemError) {
    do {
      file = try Descriptor.open(path, .createExclusive())
    } catch {
      switch error {
      case _ where error.isAlreadyThere: try FileSystem.remove(path)
      case _ where error.isNotFound: try FileSystem.makeDirectory(path.parent)
      default: throw error
      }
      file = try Descriptor.open(path, .createExclusive())
    }
    isMade = true
  }
}
