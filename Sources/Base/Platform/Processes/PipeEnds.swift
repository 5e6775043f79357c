internal import CPlatform

/// A pipe whose ends a child process gets only if it is given them.
struct PipeEnds: ~Copyable {
  let reading: Descriptor
  let writing: Descriptor

  /// - Throws: the error of pipe2(2).
  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    _ = try SystemCall.read("pipe", nil) { magnum_pipe(&ends) }
    reading = Descriptor(adopting: ends[0])
    writing = Descriptor(adopting: ends[1])
  }
}
