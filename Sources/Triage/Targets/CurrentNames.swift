internal import Configuration
internal import Maildir
internal import Platform

/// What files are called now that an index knows by the names that they had when it was written.
struct CurrentNames {
  private var files = FolderFiles()

  /// A file under its name of now, which shows its flags; nil where it is gone from its folder.
  mutating func current(_ seen: TargetFile) -> TargetFile? {
    let maildir = seen.account.maildir.appending(seen.folder)
    do throws(SystemError) {
      if try FileSystem.status(seen.path) != nil { return seen }
      let (base, flags) = (seen.file.name.base, seen.file.name.flags)
      let found = try files.file(of: base, showing: flags, in: maildir)
      return found.map { TargetFile(account: seen.account, folder: seen.folder, file: $0) }
    } catch {
      // What is wrong is said when its steps are taken.
      return seen
    }
  }
}
