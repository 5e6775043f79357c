internal import CPlatform

// Programs that are the way to a server.
extension ChildProcess {
  /// Starts a program whose standard input and output are one end of a socket.
  ///
  /// - Returns: the other end, which the caller closes, and the number of the process, which the caller gives to
  ///   ``end(_:grace:)``.
  /// - Throws: the error of socketpair(2) or posix_spawn(3).
  package static func openTunnel(
    _ command: Command
  ) throws(SystemError) -> (socket: Int32, process: Int32) {
    var ends: [Int32] = [-1, -1]
    _ = try SystemCall.read("socketpair", nil) { magnum_socket_pair(&ends) }
    let ours = Descriptor(adopting: ends[0])
    let theirs = Descriptor(adopting: ends[1])
    let process = try spawn(command, .inherited, input: theirs.raw, output: theirs.raw)
    return (ours.release(), process)
  }

  /// As ``openTunnel(_:)``, but what the program says on standard error goes to a pipe.
  ///
  /// - Returns: besides, the end of the pipe to be read, which the caller closes.
  /// - Throws: the error of socketpair(2), pipe(2) or posix_spawn(3).
  package static func openReportingTunnel(
    _ command: Command
  ) throws(SystemError) -> (socket: Int32, errors: Int32, process: Int32) {
    var ends: [Int32] = [-1, -1]
    _ = try SystemCall.read("socketpair", nil) { magnum_socket_pair(&ends) }
    let ours = Descriptor(adopting: ends[0])
    let theirs = Descriptor(adopting: ends[1])
    let pipe = try PipeEnds()
    let process = try spawn(
      command,
      .inherited,
      input: theirs.raw,
      output: theirs.raw,
      errors: pipe.writing.raw
    )
    let reading = pipe.reading
    return (ours.release(), reading.release(), process)
  }
}
