internal import Configuration
internal import Correspondence
internal import MIME
internal import MailModel
internal import Maildir
internal import Octets
internal import Platform
internal import SearchIndex

extension Target {
  /// The message of a file in the Maildir of an account.
  ///
  /// - Throws: that it is gone, or lies elsewhere.
  init(of named: MessageFile, _ configuration: Configuration) throws(Explanation) {
    let current = try named.foundPath()
    let path = (try? FileSystem.realPath(current)) ?? current
    let file = MessageFile(path)
    guard file.isInMaildir, let account = file.account(in: configuration) else {
      throw Explanation(
        .data,
        place: named.path.display,
        "it lies in no folder of an account",
        hint: "magnum changes messages in the Maildirs of the configuration only"
      )
    }
    let root = (try? FileSystem.realPath(account.maildir)) ?? account.maildir
    let folder = [UInt8](path.parent.parent.octets.dropFirst(root.octets.count + 1))
    let subdirectory: Subdirectory =
      path.parent.lastComponent == Subdirectory.new.name ? .new : .cur
    let scanned = ScannedFile(name: FileName(path.lastComponent), subdirectory: subdirectory)
    self.init(
      id: Self.id(of: path),
      subject: [],
      files: [TargetFile(account: account, folder: folder, file: scanned)]
    )
  }

  /// The Message-ID in a file, without its brackets; empty for none.
  static func id(of path: Path) -> [UInt8] { Header(ofFile: path)?.messageID?.octets ?? [] }
}
