internal import Glibc

/// Another program in place of this one.
package enum ProcessReplacement {
  /// Runs a program that is installed beside this one, else the one of that name in the search path.
  ///
  /// It gets arguments of this process octet by octet, also those that are not UTF-8.
  ///
  /// - Returns: why there is none; otherwise it does not return.
  package static func run(_ name: String, _ arguments: [String]) -> SystemError {
    var words = ([name] + arguments).map { Path(argument: $0).withCString { strdup($0) } } + [nil]
    defer { for word in words { free(word) } }
    if let own = try? FileSystem.realPath(Path("/proc/self/exe")) {
      _ = own.parent.appending(name).withCString { execv($0, &words) }
    }
    _ = execvp(name, &words)
    return SystemError(operation: "exec", path: Path(name), code: errno)
  }
}
