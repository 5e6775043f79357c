import Glibc

/// Something the test harness itself could not do; never a fault of the code under test.
package struct HarnessError: Error, CustomStringConvertible {
  /// What failed, in words.
  package let description: String

  /// An error with the words of `description`.
  package init(_ description: String) {
    self.description = description
  }

  /// A failed system call, with the meaning of the `errno` it left.
  package init(call: String, code: Int32) {
    self.init("\(call): \(String(cString: strerror(code)))")
  }
}
