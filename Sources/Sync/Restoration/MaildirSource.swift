internal import Glibc
internal import Maildir
internal import MailModel
internal import Octets
package import Platform
internal import RestorePlan

/// A Maildir that is to be restored: its folders, found without following any link.
package struct MaildirSource {
  /// Why a directory is not restored at all.
  package enum Mistake: Error, Hashable, Sendable {
    /// There is none.
    case absent(Path)
    /// It is no directory.
    case noDirectory(Path)
    /// There is no Maildir in it.
    case noMaildir(Path)
    /// It is the account's own mirror, lies in it, or holds it.
    case ownMirror(Path, root: Path)
    /// It lies in a directory of Magnum's own.
    case state(Path)
    case system(SystemError)
  }

  package let root: Path
  package let folders: [SourceFolder]
  package let skipped: [SkippedEntry]
  /// Whether everything goes below a mailbox that the caller named.
  let isBelowMailbox: Bool

  /// Finds the folders below a directory.
  ///
  /// - Parameters:
  ///   - path: the directory; the only link that is followed.
  ///   - prefix: the levels of the mailbox below which everything goes; none for the server's top level.
  ///   - mirror: the root of the account to which it is restored.
  ///   - ownPlaces: directories in which Magnum keeps what is no mail.
  /// - Throws: why nothing of it is restored.
  package init(
    _ path: Path,
    into prefix: [[UInt8]],
    mirror: Path,
    ownPlaces: [Path]
  ) throws(Mistake) {
    let root = try Self.checked(path)
    let own = ownPlaces.map(Self.real)
    guard !root.isState, !own.contains(where: { root.isInside($0) }) else { throw .state(path) }
    if let mirror = try? FileSystem.realPath(mirror),
      root.isInside(mirror) || mirror.isInside(root)
    {
      throw .ownMirror(path, root: mirror)
    }
    self.root = root
    let tree = FolderTree(root: root, layout: .verbatim)
    let listing: FolderListing
    do throws(SystemError) {
      listing = try tree.maildirs(passingOverUnreadable: true, followingLinks: false)
    } catch {
      throw .system(error)
    }
    guard !listing.maildirs.isEmpty else { throw .noMaildir(path) }
    isBelowMailbox = !prefix.isEmpty
    let naming = RestoreNaming(prefix: prefix, rootLength: root.octets.count)
    let isOurs = Self.hasState(root)
    var folders: [SourceFolder] = []
    var skipped = listing.links.map { SkippedEntry(root.appending($0), .link) }
    skipped += listing.unreadable.map { SkippedEntry(root.appending($0), .unreadable($1)) }
    skipped += listing.halves.map { SkippedEntry(root.appending($0), .half) }
    for relative in listing.maildirs {
      let folder = root.appending(relative)
      guard !own.contains(where: { folder.isInside($0) }) else {
        skipped.append(SkippedEntry(folder, .state))
        continue
      }
      let isOurs = isOurs || ((try? OwnershipMarker(folder).readableOwner()) ?? nil) != nil
      switch naming.meaning(of: relative, isOurs: isOurs) {
      case .mailbox(let levels):
        folders.append(SourceFolder(path: folder, levels: levels, isOurs: isOurs))
      case .hidden: skipped.append(SkippedEntry(folder, .hidden))
      case .noName: skipped.append(SkippedEntry(folder, .noMailbox))
      }
    }
    self.folders = folders
    self.skipped = skipped
  }

  private static func checked(_ path: Path) throws(Mistake) -> Path {
    do throws(SystemError) {
      guard let status = try FileSystem.status(path) else { throw SystemError.notFound(path) }
      guard status.kind == .directory else {
        throw SystemError(operation: "open", path: path, code: ENOTDIR)
      }
      return try FileSystem.realPath(path)
    } catch {
      if error.isNotFound { throw .absent(path) }
      throw error.code == ENOTDIR ? .noDirectory(path) : .system(error)
    }
  }

  /// The path without links; one of nothing that is there stays as it is.
  private static func real(_ path: Path) -> Path { (try? FileSystem.realPath(path)) ?? path }

  private static func hasState(_ root: Path) -> Bool {
    FolderLayout.allCases.contains { layout in
      let state = StateDirectory.path(root: root, layout: layout)
      return ((try? FileSystem.status(state, followingLinks: false)) ?? nil)?.kind == .directory
    }
  }
}

extension Path {
  /// Whether it is the other one, or lies below it.
  fileprivate func isInside(_ other: Path) -> Bool {
    octets == other.octets || octets.starts(with: other.octets + [ASCII.slash])
  }

  /// Whether it lies in a directory in which Magnum keeps what it knows of an account.
  fileprivate var isState: Bool {
    octets.split(separator: ASCII.slash).contains {
      $0.elementsEqual(".magnum".utf8) || $0.elementsEqual("_magnum".utf8)
    }
  }
}

/// Something in a Maildir that is not restored.
package struct SkippedEntry: Hashable, Sendable {
  /// Why not.
  package enum Reason: Hashable, Sendable {
    /// It is a symbolic link.
    case link
    /// It is no file: a directory, pipe, socket or device.
    case noFile
    /// Its name has nothing before the colon.
    case noName
    /// The directory is one that begins with a dot in a layout where other programs keep what is no mailbox in such.
    case hidden
    /// The directory stands for no mailbox in either layout.
    case noMailbox
    /// It is a directory cur or new that holds files, beside which the other one is missing.
    case half
    /// It holds the state or the queue of Magnum.
    case state
    /// mbsync left it in the place of a message that was too large.
    case placeholder
    /// It is a message of Magnum's own to its user, which belongs to no server; it does not count.
    case notice
    /// It changed, or went away, while it was restored.
    case changed
    /// It cannot be read.
    case unreadable(SystemError)
  }

  package let path: Path
  /// Why.
  package let reason: Reason

  package init(_ path: Path, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }
}
