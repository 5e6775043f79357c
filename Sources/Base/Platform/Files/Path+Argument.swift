internal import Glibc
internal import Octets

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
