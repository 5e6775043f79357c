package import Octets

/// Why a message cannot be taken as it is.
///
/// Lines count from 1, in what the caller gave.
package enum LetterError: Error, Hashable, Sendable {
  /// A CR without LF, or a NUL, in the header: what one program reads as one field another may read
  /// as two.
  case forbiddenOctet(UInt8, line: Int)

  /// A CR without LF, a NUL or a line with more than 998 octets, in a body that must not be changed.
  case unfitBody(line: Int)

  /// An address that nothing can be sent to.
  case badAddress([UInt8])

  /// Names without a domain that no alias is there for.
  case unknownNames([[UInt8]])

  /// Aliases that lead back to themselves, or too far.
  case aliasLoop([UInt8])

  /// Something in a file of aliases, or in a list, that is no address.
  case badAlias(AliasPlace, [UInt8])

  /// A list that an alias or another list includes, by its path, and cannot be used.
  case badList(AliasPlace, [UInt8], AliasFileProblem)

  /// Another message begins in that line.
  case severalMessages(line: Int)

  /// No recipient is named.
  case noRecipients

  /// Aliases say that what is sent to these recipients is to be thrown away.
  case discarded

  /// The message can no longer be read, or was changed meanwhile.
  case unreadable(SourceError)
}

extension LetterError {
  /// What a closure reads of a message.
  static func reading<Value>(
    _ body: () throws(SourceError) -> Value
  ) throws(LetterError) -> Value {
    do {
      return try body()
    } catch {
      throw .unreadable(error)
    }
  }
}
