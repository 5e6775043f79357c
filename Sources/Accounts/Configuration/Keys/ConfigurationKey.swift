/// A key of the configuration file: all that the program knows about it.
///
/// Reading, refusals, suggestions and the check of the manual page against the program all work
/// from the table in `ConfigurationKey+Table.swift`.
struct ConfigurationKey: Sendable {
  /// Puts the value where it belongs; throws when it is not one that the key takes.
  typealias Reader = @Sendable (KeyValue, inout AccountDraft) throws(Mistake) -> Void

  let name: String
  let section: KeySection
  let kind: KeyKind
  let group: KeyGroup?

  /// Whether the key means something only in an account with a server.
  let needsServer: Bool

  let read: Reader

  /// A key that is read.
  init(
    _ name: String,
    in section: KeySection,
    _ kind: KeyKind,
    group: KeyGroup? = nil,
    needsServer: Bool = false,
    read: @escaping Reader
  ) {
    self.name = name
    self.section = section
    self.kind = kind
    self.group = group
    self.needsServer = needsServer
    self.read = read
  }

  /// The key of that name in a section of that kind; `nil` when there is none.
  static func named(_ name: String, in section: KeySection) -> ConfigurationKey? {
    all.first { $0.section == section && $0.name == name }
  }
}
