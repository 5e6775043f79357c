internal import Glibc

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
    guard !path.octets.contains(0) else {
      throw SystemError(operation: operation.description, path: path, code: EINVAL)
    }
  }
}
