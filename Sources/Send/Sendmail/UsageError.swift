/// What is wrong with a command line.
package enum UsageError: Error, Hashable, Sendable {
  /// There is no such option; with the octets that were given.
  case unknownOption([UInt8])

  /// The option needs a value.
  case missingValue([UInt8])

  /// The option does not take that value.
  case badValue(option: [UInt8], [UInt8])

  /// The option takes no value.
  case unexpectedValue([UInt8])

  /// The option asks for what this program does not do, such as being a daemon.
  case unsupported([UInt8])

  /// An option stands behind a recipient, where only recipients may be.
  case optionBehindRecipient([UInt8])
}
