internal import Octets
package import Platform

/// All tags of the messages in a folder: what was agreed on with the server, and what people did since.
package struct FolderTags: Hashable, Sendable {
  /// What was agreed on with the server.
  package var agreed: KeywordFile
  /// What people did since.
  package var changed: TagFile

  package init(agreed: KeywordFile, changed: TagFile) {
    (self.agreed, self.changed) = (agreed, changed)
  }

  /// What the files of a folder say; one that cannot be read says nothing.
  package init(of maildir: Path) {
    agreed = (try? KeywordFile.of(maildir)) ?? KeywordFile()
    changed = (try? TagFile.of(maildir)) ?? TagFile()
  }

  /// The tags of a message by the base name of its file.
  package subscript(base base: [UInt8]) -> [[UInt8]] {
    changed[base: base].all(beside: agreed[base: base])
  }

  /// The base names of the messages of which the files say something.
  package var bases: Set<[UInt8]> { Set(agreed.keywords.keys).union(changed.tags.keys) }
}

// Files that get other names, or have lost theirs.
extension FolderTags {
  /// Has files have the tags that they have under other names too, before they get these: a program that ends behind a rename
  /// has lost none.
  ///
  /// Durable on return.
  ///
  /// - Parameters:
  ///   - renames: base names; those without tags cost nothing.
  ///   - maildir: the folder.
  ///   - state: the directory of the account's own files, for the lock.
  /// - Throws: why the files cannot be read or written; EAGAIN where another process keeps the lock for too long.
  package static func copy(
    _ renames: [(from: [UInt8], to: [UInt8])],
    in maildir: Path,
    state: Path
  ) throws(SystemError) {
    try change(in: maildir, state: state) { tags in
      for (from, to) in renames where from != to {
        let (agreed, changed) = (tags.agreed[base: from], tags.changed[base: from])
        if !agreed.isEmpty { tags.agreed.set(agreed, of: to) }
        if !changed.isEmpty { tags.changed[base: to] = changed }
      }
    }
  }

  /// Forgets what the files say of some base names; durable on return.
  ///
  /// - Throws: as ``copy(_:in:state:)``.
  package static func forget(
    in maildir: Path,
    state: Path,
    where isGone: ([UInt8]) -> Bool
  ) throws(SystemError) {
    try change(in: maildir, state: state) { tags in
      for base in tags.bases where isGone(base) {
        tags.agreed.set([], of: base)
        tags.changed[base: base] = TagFile.Tags()
      }
    }
  }

  private static func change(
    in maildir: Path,
    state: Path,
    _ body: (inout FolderTags) -> Void
  ) throws(SystemError) {
    try TagLock.with(state) { () throws(SystemError) in
      let before = FolderTags(
        agreed: try KeywordFile.of(maildir),
        changed: try TagFile.of(maildir)
      )
      var after = before
      body(&after)
      if after.agreed != before.agreed { _ = try after.agreed.write(in: maildir) }
      if after.changed != before.changed { try after.changed.write(in: maildir) }
    }
  }
}
