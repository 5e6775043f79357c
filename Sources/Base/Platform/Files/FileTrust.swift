internal import CPlatform
internal import Glibc
internal import Octets

/// Who could change what a path leads to: the one check before a file decides what a program does.
///
/// The file, each directory on the way to it, and each symbolic link with all that it leads to, have to belong to the user or
/// to root, and no other user may write to them. A group may where it is the user's own; so may all in a directory where they
/// cannot replace what is not theirs (mode 1777).
package struct FileTrust: Sendable {
  /// A file that another user could change, or put another one in its place.
  package struct Failure: Error, Hashable, Sendable {
    /// Why it is not trusted.
    package enum Reason: Hashable, Sendable {
      /// It belongs to this user.
      case owner(UInt32)
      /// Others may write to it.
      case mode(UInt32)
      /// It holds a secret, and others may read it or do more with it.
      case secrecy(UInt32)
      /// Links lead on and on.
      case loop
    }

    /// The file, or the directory or link on the way to it.
    package let path: Path
    /// What is wrong with it.
    package let reason: Reason
    package let isDirectory: Bool

    package init(_ path: Path, _ reason: Reason, isDirectory: Bool = false) {
      (self.path, self.reason, self.isDirectory) = (path, reason, isDirectory)
    }
  }

  /// How many links are followed, as the kernel does.
  private static let linkLimit = 40

  /// Who may own and change files.
  private let owners: Set<UInt32>
  private let user: UInt32

  /// Trust of a user in itself, in root, and in another user where one is given.
  package init(user: UInt32 = geteuid(), and other: UInt32? = nil) {
    self.user = user
    owners = Set(
      [0, user] + (other.map { [$0] } ?? []) + (UserNamespace.unmappedRoot.map { [$0] } ?? [])
    )
  }

  /// Checks a file, and everything on the way to it.
  ///
  /// - Throws: what is not to be trusted; nothing where the path ends early, which opening it finds out.
  package func check(_ path: Path) throws(Failure) {
    guard !Self.isDescriptor(path) else { return }
    let start =
      path.isAbsolute ? path : Path(Self.workingDirectory.octets + [ASCII.slash] + path.octets)
    var rest = Self.components(start)
    var place = Path("/")
    var links = 0
    try look(at: place)
    while !rest.isEmpty {
      let name = rest.removeFirst()
      // The directory above was checked on the way here.
      if name == Self.up { place = place.parent; continue }
      let next = place.appending(name)
      guard let status = try look(at: next) else { return }
      guard status.kind == .symbolicLink else { place = next; continue }
      links += 1
      guard links <= Self.linkLimit else { throw Failure(path, .loop) }
      guard let target = FileSystem.linkTarget(next) else { return }
      if target.isAbsolute { place = Path("/") }
      rest = Self.components(target) + rest
    }
  }

  /// Checks one file, directory or link by itself; nil where it cannot be looked at.
  @discardableResult
  private func look(at path: Path) throws(Failure) -> FileStatus? {
    guard let status = (try? FileSystem.status(path, followingLinks: false)) ?? nil else {
      return nil
    }
    try check(status, path)
    return status
  }

  /// Checks what is known of a file that is open.
  package func check(_ status: FileStatus, _ path: Path) throws(Failure) {
    guard owners.contains(status.owner) else {
      throw Failure(path, .owner(status.owner), isDirectory: status.kind == .directory)
    }
    guard status.kind != .symbolicLink, status.isOpenToOthers else { return }
    let isOwnGroup = status.mode & 0o002 == 0 && OwnGroup.isOwn(status.group, of: user)
    guard isOwnGroup, !FileSystem.hasAccessList(path) else {
      throw Failure(path, .mode(status.mode), isDirectory: status.kind == .directory)
    }
  }

  /// Whether a path names a descriptor of this process, which its caller has opened: /dev/stdin, or `<(command)` of a shell.
  private static func isDescriptor(_ path: Path) -> Bool {
    if path == Path("/dev/stdin") { return true }
    let isNumber = path.lastComponent.allSatisfy(ASCII.isDigit)
    return isNumber && [Path("/dev/fd"), Path("/proc/self/fd")].contains(path.parent)
  }

  private static let up = [ASCII.dot, ASCII.dot]

  private static func components(_ path: Path) -> [[UInt8]] {
    path.octets.split(separator: ASCII.slash).map { Array($0) }.filter { $0 != [ASCII.dot] }
  }

  /// The current directory, without links; the root where it is gone, in which nothing is found then.
  private static var workingDirectory: Path {
    (try? FileSystem.realPath(Path("."))) ?? Path("/")
  }
}

extension FileTrust.Failure {
  /// What is wrong with the file that the failure names: "others can change this directory (mode 0777)".
  package var words: String {
    let kind = isDirectory ? "directory" : "file"
    switch reason {
    case .owner(let owner):
      return "this \(kind) belongs to user \(owner), neither to you nor to root"
    case .mode(let mode):
      return "others can change this \(kind) (mode \(FileMode.text(mode)))"
    case .secrecy(let mode):
      return "others can access this file (mode \(FileMode.text(mode)))"
    case .loop: return "too many symbolic links"
    }
  }

  /// The command that helps, where the file is shown so; nil where there is none.
  package func remedy(_ shown: String) -> String? {
    let word = ShellWord.quoted(shown)
    return switch reason {
    // A directory of another user is that user's, with all in it.
    case .owner: isDirectory ? nil : "chown \(UserEntry.name(of: geteuid())) \(word)"
    case .mode: "chmod go-w \(word)"
    case .secrecy: "chmod 600 \(word)"
    case .loop: nil
    }
  }

  /// The same with the whole path.
  package var remedy: String? { remedy(path.display) }
}

/// Groups with a single user, as most systems make one for each user; files of mode 0664 are usual there (umask 002).
enum OwnGroup {
  /// Whether a group bears the name of a user, and has no other members.
  static func isOwn(_ number: UInt32, of user: UInt32) -> Bool {
    guard let entry = UserEntry(of: user), entry.group == number else { return false }
    var record = group()
    var found: UnsafeMutablePointer<group>?
    var buffer = [CChar](repeating: 0, count: 64 * 1024)
    guard getgrgid_r(number, &record, &buffer, buffer.count, &found) == 0, found != nil,
      let name = record.gr_name, octets(name) == entry.name
    else { return false }
    var next = record.gr_mem
    while let member = next?.pointee {
      guard octets(member) == entry.name else { return false }
      next = next?.advanced(by: 1)
    }
    return true
  }

  private static func octets(_ text: UnsafeMutablePointer<CChar>) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }
}

/// Reads small files that decide what a program does, such as its configuration, or that hold secrets.
package enum TrustedFile {
  /// Why a file is not read.
  package enum Failure: Error, Hashable, Sendable {
    /// It cannot be opened or read.
    case system(SystemError)
    /// It is longer than so many octets.
    case tooLong(limit: Int)
    /// Another user could have written it, or put it there.
    case untrusted(FileTrust.Failure)
  }

  /// What is asked of a file.
  package struct Rules: Sendable {
    /// Octets that it may have.
    package let limit: Int
    /// Whether only its owner may read it.
    package var isSecret = false
    /// Whether a pipe or a descriptor may be in its place.
    package var mayBePipe = false
    /// Whose file it is, besides root's.
    package var user = UserIdentity.effective
    /// Whether it may also belong to the owner of the directory that it lies in.
    package var trustsOwnerOfDirectory = false

    /// A file of at most so many octets.
    package init(limit: Int) { self.limit = limit }
  }

  /// The content and status of one and the same file, whatever happens to its name meanwhile.
  ///
  /// - Throws: why it is not read.
  package static func read(
    _ path: Path,
    _ rules: Rules
  ) throws(Failure) -> (octets: [UInt8], status: FileStatus) {
    let file = try system(rules) { () throws(SystemError) in
      try Descriptor.open(path, rules.mayBePipe ? .read.orPipe : .read)
    }
    let status = try system(rules) { () throws(SystemError) in try file.status() }
    do throws(FileTrust.Failure) {
      try check(path, status, rules)
    } catch {
      throw .untrusted(error)
    }
    return try system(rules) { () throws(SystemError) in
      (try FileSystem.contents(of: file, limit: rules.limit), status)
    }
  }

  private static func system<Value: ~Copyable>(
    _ rules: Rules,
    _ body: () throws(SystemError) -> Value
  ) throws(Failure) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw error.isTooLarge ? .tooLong(limit: rules.limit) : .system(error)
    }
  }

  private static func check(
    _ path: Path,
    _ status: FileStatus,
    _ rules: Rules
  ) throws(FileTrust.Failure) {
    var other: UInt32?
    if rules.trustsOwnerOfDirectory, let real = try? FileSystem.realPath(path) {
      other = ((try? FileSystem.status(real.parent)) ?? nil)?.owner
    }
    let trust = FileTrust(user: rules.user, and: other)
    try trust.check(path)
    try trust.check(status, path)
    guard rules.isSecret, status.mode & FileMode.ofOthers != 0 else { return }
    throw FileTrust.Failure(path, .secrecy(status.mode))
  }
}
