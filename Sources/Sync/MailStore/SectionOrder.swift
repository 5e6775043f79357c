package import SyncPlan

/// Sections of one message that are to be fetched, such as its header and texts.
package struct SectionOrder: Sendable {
  /// One of them.
  package struct Section: Hashable, Sendable {
    /// Its name in small letters as IMAP has it: `header`, `1`, `1.2.mime`.
    package let name: [UInt8]
    /// The octet of it at which what is fetched begins, from 0.
    package let start: Int
    /// Octets of it that are fetched at most.
    package let limit: Int

    package init(_ name: [UInt8], from start: Int = 0, limit: Int) {
      self.name = name
      self.start = start
      self.limit = limit
    }
  }

  /// The message.
  package let uid: UInt32
  /// The sections, none twice.
  package let sections: [Section]

  package init(uid: UInt32, sections: [Section]) {
    self.uid = uid
    self.sections = sections
  }
}

/// What came of a `SectionOrder`.
package struct FetchedSections: Sendable {
  /// The message with its flags, size and date of now.
  package let message: RemoteMessage
  /// The sections that the server gave, by their names in small letters.
  package let sections: [[UInt8]: [UInt8]]

  package init(message: RemoteMessage, sections: [[UInt8]: [UInt8]]) {
    self.message = message
    self.sections = sections
  }
}
