/// Permission bits of files with secrets: the rule and the way to show them.
package enum FileMode {
  /// The bits that let the group or others read, write or execute.
  package static let ofOthers: UInt32 = 0o077

  /// At least four octal digits, as chmod(1) takes them: `0644`.
  package static func text(_ mode: UInt32) -> String {
    let digits = String(mode & 0o7777, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
