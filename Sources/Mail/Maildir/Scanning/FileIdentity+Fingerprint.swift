package import MailModel
package import Platform

extension FileIdentity {
  /// What a fingerprint says of which file it is.
  package init(_ fingerprint: FileFingerprint) {
    self.init(device: fingerprint.device, inode: fingerprint.inode)
  }
}
