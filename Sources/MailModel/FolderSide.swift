/// On which sides mailboxes are made or removed after the other side's example.
package enum FolderSide: String, Hashable, Sendable, CaseIterable {
  case none, local, remote, both

  /// Whether folders here follow the server.
  package var includesLocal: Bool { self == .local || self == .both }
  /// Whether mailboxes of the server follow the folders here.
  package var includesRemote: Bool { self == .remote || self == .both }
}
