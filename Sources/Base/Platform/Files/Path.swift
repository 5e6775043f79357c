internal import Glibc
internal import Octets

/// The name of a file as the system knows it: octets, not text.
///
/// A path that holds a NUL octet can be written down but not used: every call on it fails with EINVAL.
package struct Path: Hashable, Comparable, Sendable {
  /// The octets of the path, without a final NUL.
  package let octets: [UInt8]

  package init(_ octets: [UInt8]) {
    self.octets = octets
  }

  /// A path of the UTF-8 octets of a text.
  package init(_ string: String) {
    octets = Array(string.utf8)
  }

  /// A path of these octets, or nil where the system could not take it: empty, or with a NUL in it.
  package init?(validating octets: [UInt8]) {
    guard !octets.isEmpty, !octets.contains(0) else { return nil }
    self.octets = octets
  }

  /// Whether the path starts at the root directory.
  package var isAbsolute: Bool { octets.first == ASCII.slash }

  /// The path of an entry below this one; components joined by slashes are fine, "" gives the path itself.
  package func appending(_ component: [UInt8]) -> Path {
    guard !component.isEmpty else { return self }
    guard let last = octets.last, last != ASCII.slash else { return Path(octets + component) }
    var joined: [UInt8] = []
    joined.reserveCapacity(octets.count + 1 + component.count)
    joined += octets
    joined.append(ASCII.slash)
    joined += component
    return Path(joined)
  }

  /// The path of an entry below this one.
  package func appending(_ component: String) -> Path {
    appending(Array(component.utf8))
  }

  /// The directory that holds the entry: "." for a bare name, "/" for the root itself.
  package var parent: Path {
    let trimmed = withoutTrailingSlashes
    guard let slash = trimmed.lastIndex(of: ASCII.slash) else {
      return Path(isAbsolute ? "/" : ".")
    }
    let directory = Path(Array(trimmed[..<slash])).withoutTrailingSlashes
    return directory.isEmpty ? Path("/") : Path(Array(directory))
  }

  /// What stands after the last slash; empty for the root.
  package var lastComponent: [UInt8] {
    let trimmed = withoutTrailingSlashes
    guard let slash = trimmed.lastIndex(of: ASCII.slash) else { return Array(trimmed) }
    return Array(trimmed[(slash + 1)...])
  }

  /// The path for people; see ``Printable``.
  package var display: String { Printable.text(octets) }

  /// Gives the path to a C function; the pointer is good during the call only.
  ///
  /// - Throws: what the body throws.
  package func withCString<Result, Failure: Error>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Not ContiguousArray<CChar>: its conversion costs more than most system calls.
    let terminated = octets + [0]
    return try terminated.withUnsafeBufferPointer { (buffer) throws(Failure) in
      guard let base = buffer.baseAddress else { return try body("") }
      return try UnsafeRawPointer(base).withMemoryRebound(to: CChar.self, capacity: buffer.count) {
        (pointer) throws(Failure) in try body(pointer)
      }
    }
  }

  package static func < (left: Path, right: Path) -> Bool {
    left.octets.lexicographicallyPrecedes(right.octets)
  }

  private var withoutTrailingSlashes: ArraySlice<UInt8> {
    var rest = octets[...]
    while rest.last == ASCII.slash { rest.removeLast() }
    return rest
  }
}

extension Path {
  /// The path that an argument of the process names, octet by octet.
  ///
  /// Arguments come as text, in which octets that are not UTF-8 are lost; where some were, the argument is looked up
  /// among those that the process was started with.
  package init(argument: String) {
    guard argument.unicodeScalars.contains("\u{FFFD}") else {
      self.init(argument)
      return
    }
    self.init(Path.original(argument, among: ProcessArguments.all) ?? Array(argument.utf8))
  }

  /// The argument, or the value behind the `=` of an option, that reads like a text.
  static func original(_ text: String, among arguments: [[UInt8]]) -> [UInt8]? {
    let wanted = Array(text.utf8)
    for argument in arguments {
      let value = argument.firstIndex(of: ASCII.equals).map { Array(argument[($0 + 1)...]) }
      for octets in [argument, value ?? []] where octets != wanted {
        if String(decoding: octets, as: UTF8.self).utf8.elementsEqual(wanted) { return octets }
      }
    }
    return nil
  }
}

/// The arguments that the process was started with.
package enum ProcessArguments {
  /// Whether octets that are not UTF-8 were lost in a text that was made of arguments.
  package static func lostOctets(in text: String) -> Bool {
    guard text.unicodeScalars.contains("\u{FFFD}") else { return false }
    return all.contains { String(validating: $0, as: UTF8.self) == nil }
  }

  fileprivate static var all: [[UInt8]] {
    (0..<Int(CommandLine.argc)).compactMap { number in
      CommandLine.unsafeArgv[number].map {
        Array(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
      }
    }
  }
}
