internal import Octets
package import Platform

/// A message on its way into tmp of a Maildir.
///
/// CRLF becomes LF, but only if that can be undone: where it turns out, however late, that it cannot (see
/// ``LineEnds``), the file gets the octets as they came. Up to 256 KiB are gathered in memory, so that most messages
/// take one write; longer ones go to the file as they come. Nothing is made durable here: see ``MaildirCommit``.
///
/// A delivery that is dropped before ``finish()`` leaves no file.
package struct MaildirDelivery: ~Copyable {
  /// The greatest number of octets gathered before they are written.
  package static let bufferSize = 256 * 1024

  private let maildir: Path
  private let temporaryName: [UInt8]
  private let modified: Int64?
  private let observer: ((UnsafeRawBufferPointer) -> Void)?

  private var lineEnds = LineEnds()
  private var isConverting = true
  private var buffer: [UInt8] = []
  private var sink: TemporaryFile

  /// Begins a delivery; no file is made yet.
  ///
  /// - Parameters:
  ///   - maildir: the directory that holds tmp.
  ///   - temporaryName: a name in tmp that no other writer uses. A file of that name is a leftover and is replaced.
  ///   - modified: what the file shall show as the time of its last change, in seconds since 1970; nil: now.
  ///   - observer: takes every octet of the message, with LF for each CRLF, whether the file gets this form or not:
  ///     so a digest of it does not depend on the form.
  package init(
    to maildir: Path,
    temporaryName: [UInt8],
    modified: Int64? = nil,
    observer: ((UnsafeRawBufferPointer) -> Void)? = nil
  ) {
    self.maildir = maildir
    self.temporaryName = temporaryName
    self.modified = modified
    self.observer = observer
    sink = TemporaryFile(path: Subdirectory.tmp.path(in: maildir).appending(temporaryName))
  }

  /// Takes the next octets of the message, as they came.
  ///
  /// - Throws: the error of open(2), read(2) or write(2); the delivery is of no use then.
  package mutating func write(_ run: ArraySlice<UInt8>) throws(SystemError) {
    let held: [UInt8] = lineEnds.isHoldingReturn ? [ASCII.carriageReturn] : []
    let converted = lineEnds.convert(run)
    observe(converted)
    if isConverting, lineEnds.isReversible {
      try append(converted[...])
    } else {
      if isConverting { try undoConversion(thenAppending: held) }
      try append(run)
    }
  }

  /// Ends the message: the file is complete.
  ///
  /// - Returns: what lies in tmp.
  /// - Throws: the error of open(2), write(2) or close(2); no file is left then.
  package consuming func finish() throws(SystemError) -> DeliveredMessage {
    let tail = lineEnds.finish()
    observe(tail)
    if isConverting { try append(tail[...]) }
    try sink.write(buffer[...])
    let size = sink.size
    try sink.finish(modified: modified)
    return DeliveredMessage(
      maildir: maildir,
      temporaryName: temporaryName,
      wireSize: lineEnds.wireSize,
      size: size,
      containsNUL: lineEnds.containsNUL
    )
  }

  private func observe(_ octets: [UInt8]) {
    guard let observer, !octets.isEmpty else { return }
    octets.withUnsafeBytes { observer($0) }
  }

  private mutating func append(_ run: ArraySlice<UInt8>) throws(SystemError) {
    guard buffer.count + run.count > Self.bufferSize else {
      buffer += run
      return
    }
    try sink.write(buffer[...])
    buffer.removeAll(keepingCapacity: true)
    if run.count > Self.bufferSize {
      try sink.write(run)
    } else {
      buffer += run
    }
  }

  /// Brings back what came before the run that showed that it is necessary.
  private mutating func undoConversion(thenAppending held: [UInt8]) throws(SystemError) {
    isConverting = false
    let converted = buffer
    buffer = []
    try sink.rewrite { LineEnds.restored($0) }
    try append(LineEnds.restored(converted[...])[...])
    try append(held[...])
  }
}

/// A message that lies complete in tmp; not durable, and not yet visible to other programs.
package struct DeliveredMessage: Hashable, Sendable {
  /// The directory that holds tmp, new and cur.
  package let maildir: Path

  /// The name of the file in tmp.
  package let temporaryName: [UInt8]

  /// The length of the message as it came, in octets.
  package let wireSize: Int

  /// The length of the file, in octets.
  package let size: Int

  /// Whether there is an octet 0 in it.
  package let containsNUL: Bool

  /// The path of the file in tmp.
  package var temporaryPath: Path {
    Subdirectory.tmp.path(in: maildir).appending(temporaryName)
  }
}
