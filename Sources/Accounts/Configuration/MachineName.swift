internal import Glibc

/// The name of this machine, by which the configuration tells machines apart that share it.
package enum MachineName {
  /// The name as gethostname(2) has it; empty where it has none.
  package static var current: [UInt8] {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return [] }
    return buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  }
}
