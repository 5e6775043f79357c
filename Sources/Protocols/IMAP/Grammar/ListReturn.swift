/// What LIST shall tell beside the names (RFC 5258 §3.2); needs LIST-EXTENDED or IMAP4rev2.
package struct ListReturn: Hashable, Sendable {
  /// Whether special uses are asked for (RFC 6154 §2); needs SPECIAL-USE.
  package let specialUse: Bool

  /// The facts for which each mailbox gets a STATUS response too (RFC 5819); needs LIST-STATUS.
  package let status: [StatusItem]

  /// The options given; with neither, LIST asks for `RETURN ()`.
  package init(specialUse: Bool = false, status: [StatusItem] = []) {
    self.specialUse = specialUse
    self.status = status
  }
}
