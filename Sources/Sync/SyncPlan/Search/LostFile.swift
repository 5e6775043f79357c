package import Octets

/// A file that would be sent up again, or be removed with changes, since the server has its message no more.
package struct LostFile: Sendable {
  private let name: [UInt8]
  private let message: Trace

  /// A file by its base name, and what is known of its message.
  package init(name: [UInt8], wanted message: Trace) { (self.name, self.message) = (name, message) }

  /// The names of the files that stay as they are until the next run: their messages may be some that no run has seen.
  ///
  /// `unseen` are those messages; nil where not all of them are known.
  package static func held(_ files: [LostFile], by unseen: [RemoteMessage]?) -> OctetSet {
    let traces = unseen?.map { Trace($0) }
    let held = files.filter { file in
      traces?.contains { Sameness.compare(file.message, $0, .movedByServer).level != .no } ?? true
    }
    return OctetSet(held.map(\.name))
  }
}
