internal import CPlatform

internal import Glibc

// Programs that are the way to a server.
extension ChildProcess {
  /// A program whose standard input and output are one end of a socket.
  package struct Tunnel: ~Copyable {
    /// The other end.
    package let socket: Descriptor
    /// Its number, to be given to ``ChildProcess/end(_:grace:)``.
    package let process: Int32
    /// Whether it has a process group of its own, which is to be ended too.
    package let isApart: Bool
    /// What it says on standard error; nil where that goes to the terminal.
    package let errors: ErrorLines?

    /// Gives the other end away, to be closed by who gets it.
    package consuming func releaseSocket() -> Int32 { socket.release() }
  }

  /// Starts a program that is the way to a server.
  ///
  /// Where this process is in the foreground of a terminal the program shares its process group, since it may have to ask there.
  ///
  /// - Throws: the error of socketpair(2), pipe(2) or posix_spawn(3).
  package static func openTunnel(_ command: Command) throws(SystemError) -> Tunnel {
    let pair = try SocketPair()
    let ours = pair.ours
    let theirs = pair.theirs
    let isApart = Group.ownInBackground.isOwn
    guard isatty(2) == 0 else {
      let process = try spawn(
        command,
        .inherited,
        input: theirs.raw,
        output: theirs.raw,
        isApart: isApart
      )
      return Tunnel(socket: ours, process: process, isApart: isApart, errors: nil)
    }
    let pipe = try PipeEnds()
    let errors = try ErrorLines(reading: pipe.reading)
    let process = try spawn(
      command,
      .inherited,
      input: theirs.raw,
      output: theirs.raw,
      errors: pipe.writing.raw,
      isApart: isApart
    )
    return Tunnel(socket: ours, process: process, isApart: isApart, errors: errors)
  }

  /// Starts such a program, and lends what it says on standard error.
  ///
  /// - Returns: our end of the socket, and the end of the pipe to be read, both of which the caller closes; the number of the
  ///   process.
  /// - Throws: the error of socketpair(2), pipe(2) or posix_spawn(3).
  package static func openReportingTunnel(
    _ command: Command
  ) throws(SystemError) -> (socket: Int32, errors: Int32, process: Int32) {
    let pair = try SocketPair()
    let ours = pair.ours
    let theirs = pair.theirs
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

  /// Two sockets that are connected, of which a child gets only what it is given.
  private struct SocketPair: ~Copyable {
    let ours: Descriptor
    let theirs: Descriptor

    init() throws(SystemError) {
      var ends: [Int32] = [-1, -1]
      _ = try SystemCall.read("socketpair", nil) { magnum_socket_pair(&ends) }
      ours = Descriptor(adopting: ends[0])
      theirs = Descriptor(adopting: ends[1])
    }
  }
}
