internal import Glibc
internal import Octets
internal import Platform

/// A file that is written beside its place, and named once it is whole and durable; or standard output.
final class ExportFile {
  private let place: Path?
  private let temporary: Path?
  private let isReplacing: Bool
  private let file: Int32
  private let descriptor: Descriptor
  private var buffer: [UInt8] = []
  private var isNamed = false

  private static let bufferSize = 256 << 10

  /// Begins a file; nil is standard output.
  ///
  /// - Throws: EEXIST where the name is taken and not to be replaced, EINVAL where no file has it; the error of open(2).
  init(_ place: Path?, replacing isReplacing: Bool) throws(SystemError) {
    (self.place, self.isReplacing) = (place, isReplacing)
    if let place { try Self.check(place, isReplacing) }
    guard let place else {
      (temporary, file) = (nil, 1)
      descriptor = Descriptor(adopting: dup(1))
      return
    }
    let mark = [UInt8](".\(getpid()).exporting".utf8)
    let temporary = place.parent.appending([ASCII.dot] + place.lastComponent.prefix(200) + mark)
    try? FileSystem.remove(temporary)
    descriptor = try Descriptor.open(temporary, .createExclusive())
    self.temporary = temporary
    file = 0
  }

  /// Only a regular file is replaced: a device, a pipe or a link is no file that a person means to lose.
  private static func check(_ place: Path, _ isReplacing: Bool) throws(SystemError) {
    guard let kind = try FileSystem.status(place, followingLinks: false)?.kind else { return }
    if isReplacing, kind == .regular { return }
    throw SystemError(operation: "open", path: place, code: isReplacing ? EINVAL : EEXIST)
  }

  deinit {
    if !isNamed, let temporary { try? FileSystem.remove(temporary) }
  }

  func write(_ octets: [UInt8]) throws(SystemError) {
    buffer += octets
    if buffer.count >= Self.bufferSize { try flush() }
  }

  private func flush() throws(SystemError) {
    guard !buffer.isEmpty else { return }
    try descriptor.write(all: buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Names the file; durable on return.
  ///
  /// - Throws: EEXIST where the name is taken and not to be replaced, EINVAL where no file has it.
  func finish() throws(SystemError) {
    try flush()
    guard let place, let temporary else { return }
    try descriptor.synchronise()
    if isReplacing {
      try Self.check(place, true)
      try FileSystem.rename(temporary, to: place)
    } else {
      try FileSystem.renameWithoutReplacing(temporary, to: place)
    }
    isNamed = true
    try FileSystem.synchroniseDirectory(place.parent)
  }
}
