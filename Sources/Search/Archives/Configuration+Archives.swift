package import Configuration
package import MailModel
internal import Platform
package import Query
package import SearchIndex

extension Configuration {
  /// What is searched: the accounts and archives of these names, or all of both for none.
  ///
  /// - Throws: a name that neither has.
  package func searched(
    _ names: [String]
  ) throws(Explanation) -> (accounts: [Account], archives: [ArchiveSettings]) {
    guard !names.isEmpty else { return (accounts, archives) }
    let archives = archives.filter { names.contains($0.name) }
    let rest = names.filter { name in !archives.contains { $0.name == name } }
    return (rest.isEmpty ? [] : try accounts(named: rest), archives)
  }

  /// The indexes of the accounts, and the archives, of these names, or of all for none.
  ///
  /// - Parameters:
  ///   - names: accounts and archives.
  ///   - stemming: the language whose words are found in all their forms; nil for none.
  ///   - isLocal: whether archives are left alone.
  ///   - report: gets why an archive does not answer.
  /// - Returns: what answers queries; it knows which accounts are left out.
  /// - Throws: a name that neither has; a Maildir that is missing and not to be left out.
  package func searchSet(
    _ names: [String],
    stemming: String?,
    isLocal: Bool = false,
    report: @escaping @Sendable (Explanation) -> Void
  ) throws(Explanation) -> SearchSet {
    let (accounts, archives) = try searched(names)
    do throws(SystemError) {
      var set = try SearchSet(SearchedAccounts(accounts, named: names), stemming: stemming)
      if !isLocal { set.archives = archives.map { Archive($0, report: report) } }
      return set
    } catch {
      throw Explanation(.partial, error.description)
    }
  }

  /// In which archives a query finds something; those that are out do not count.
  package func archives(
    finding query: Query,
    report: @escaping @Sendable (Explanation) -> Void
  ) -> [String] {
    let archives = self.archives.map { Archive($0, report: report) }
    let waits = archives.map { $0.begin(.messages(query, .unsorted, limit: 1)) }
    return zip(archives, waits).compactMap { archive, wait in
      guard case .messages(let found)? = try? wait(), !found.isEmpty else { return nil }
      return archive.name
    }
  }
}

extension SearchSet {
  /// The octets of a message that was found, as an archive has it.
  ///
  /// Nil where none has it, or those that had it no longer answer.
  /// An archive that has all attachments is preferred.
  package func archived(_ message: FoundMessage) -> [UInt8]? {
    var first: [UInt8]?
    for case let archive as Archive in archives
    where message.copies.contains(where: { $0.archive == archive.name }) {
      guard let octets = archive.message(message.id) else { continue }
      if !message.isPartial(octets) { return octets }
      first = first ?? octets
    }
    return first
  }
}
