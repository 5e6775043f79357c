/// What identifies a file or directory of the machine, whatever it is called.
package struct FileIdentity: Hashable, Sendable {
  /// The file system.
  package let device: UInt64
  /// The file within its file system.
  package let inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}
