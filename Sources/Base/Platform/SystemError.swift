internal import Glibc
internal import Octets

/// A call of the operating system that failed.
package struct SystemError: Error, Hashable, Sendable {
  /// The name of the call, as in section 2 of the manual: "open", "rename".
  package let operation: String

  /// The file it was about; nil where there is none.
  package let path: Path?

  /// The error number (errno).
  package let code: Int32

  package init(operation: String, path: Path?, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// A file that had to be opened and is not there.
  package static func notFound(_ path: Path) -> SystemError {
    SystemError(operation: "open", path: path, code: ENOENT)
  }

  /// A pipe, socket or device in the place of a file; none of the system's numbers says that.
  package init(notAFile path: Path) {
    self.init(operation: "open", path: path, code: Self.notAFile)
  }

  private static let notAFile: Int32 = -2

  /// Something else than a file lies there: a directory, a pipe, socket or device, or a link where none is followed.
  package var isNotAFile: Bool { [Self.notAFile, ENXIO, EISDIR, ELOOP].contains(code) }

  /// ELOOP: a symbolic link where none is followed, or links without end.
  package var isLink: Bool { code == ELOOP }

  /// The system's words for the error number: "No space left on device".
  package var reason: String {
    guard code != Self.notAFile else { return "Not a regular file" }
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
  }

  /// EFBIG: the file is longer than it may be.
  package var isTooLarge: Bool { code == EFBIG }

  /// ENOENT: the file, or a directory on the way to it, does not exist.
  package var isNotFound: Bool { code == ENOENT }

  /// EEXIST: the name is taken.
  package var isAlreadyThere: Bool { code == EEXIST }

  /// ENOSPC or EDQUOT: the disk is full, or the user's share of it.
  package var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }

  /// EINVAL, ENOSYS or EOPNOTSUPP: the kernel or the file system cannot do this.
  package var isUnsupported: Bool { code == EINVAL || code == ENOSYS || code == EOPNOTSUPP }

  /// ENAMETOOLONG or EPERM: this name cannot be, or this file may not be changed; others of the directory can.
  package var isOfThisFileAlone: Bool { code == ENAMETOOLONG || code == EPERM }

  /// ENAMETOOLONG: there is no room for the name.
  package var isNameTooLong: Bool { code == ENAMETOOLONG }

  /// EACCES, EPERM or EROFS: the user may not do this.
  package var isForbidden: Bool { code == EACCES || code == EPERM || code == EROFS }
}

extension SystemError: CustomStringConvertible {
  package var description: String {
    guard let path else { return "\(operation): \(reason)" }
    return "\(operation) \(path.display): \(reason)"
  }
}

/// The one way to the operating system: error numbers become errors, interrupted calls are repeated.
enum SystemCall {
  /// A call that changes nothing on disk; -1 means that it failed.
  static func read<Result: SignedInteger>(
    _ operation: StaticString,
    _ path: Path?,
    _ call: () -> Result
  ) throws(SystemError) -> Result {
    FaultPoint.call(operation)
    let result = uninterrupted(call)
    guard result != -1 else { throw failure(operation, path) }
    return result
  }

  /// A call that changes something on disk, between its two fault points.
  @discardableResult
  static func change<Result: SignedInteger>(
    _ operation: StaticString,
    _ path: Path?,
    _ call: () -> Result
  ) throws(SystemError) -> Result {
    #if FAULT_POINTS
    FaultPoint.pass(operation)
    if let code = FaultPoint.injectedError() {
      throw SystemError(operation: operation.description, path: path, code: code)
    }
    #endif
    let result = try read(operation, path, call)
    FaultPoint.pass(operation)
    return result
  }

  /// As ``read(_:_:_:)``, on a path.
  static func read<Result: SignedInteger>(
    _ operation: StaticString,
    at path: Path,
    _ call: (UnsafePointer<CChar>) -> Result
  ) throws(SystemError) -> Result {
    try checkPath(operation, path)
    return try path.withCString { (pointer) throws(SystemError) in
      try read(operation, path) { call(pointer) }
    }
  }

  /// As ``change(_:_:_:)``, on a path.
  @discardableResult
  static func change<Result: SignedInteger>(
    _ operation: StaticString,
    at path: Path,
    _ call: (UnsafePointer<CChar>) -> Result
  ) throws(SystemError) -> Result {
    try checkPath(operation, path)
    return try path.withCString { (pointer) throws(SystemError) in
      try change(operation, path) { call(pointer) }
    }
  }

  /// As ``change(_:_:_:)``, on two paths; the error names the first.
  static func change(
    _ operation: StaticString,
    from source: Path,
    to target: Path,
    _ call: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
  ) throws(SystemError) {
    try checkPath(operation, source)
    try checkPath(operation, target)
    try source.withCString { (from) throws(SystemError) in
      try target.withCString { (to) throws(SystemError) in
        _ = try change(operation, source) { call(from, to) }
      }
    }
  }

  /// The error of the call that just failed.
  static func failure(_ operation: StaticString, _ path: Path?) -> SystemError {
    let code = errno
    return SystemError(operation: operation.description, path: path, code: code)
  }

  private static func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      guard result == -1, errno == EINTR else { return result }
    }
  }

  /// A C string ends at the first NUL: what lies before it would be another file.
  private static func checkPath(_ operation: StaticString, _ path: Path) throws(SystemError) {
    guard OctetScan.firstIndex(of: 0, in: path.octets[...]) == nil else {
      throw SystemError(operation: operation.description, path: path, code: EINVAL)
    }
  }
}
