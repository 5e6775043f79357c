/// The names of files with messages of Magnum's own for the user, which belong to no mailbox of a server.
package enum NoticeName {
  private static let ending = Array(".magnum".utf8)

  /// The base name of one.
  ///
  /// - Parameter name: what tells it from others.
  /// - Returns: the name with its ending.
  package static func base(_ name: [UInt8]) -> [UInt8] { name + ending }

  /// Whether a file of that base name is one.
  package static func isOne(_ base: [UInt8]) -> Bool {
    base.withUnsafeBytes(isOne)
  }

  /// Whether a file of that base name is one.
  static func isOne(_ base: UnsafeRawBufferPointer) -> Bool {
    base.last == ending.last && base.suffix(ending.count).elementsEqual(ending)
  }
}
