internal import Configuration
internal import Glibc
internal import Hashing
internal import Maildir
package import MailModel
internal import Octets
internal import Platform
internal import RestorePlan
internal import SearchIndex

// What is there already.
extension MailImport {
  /// What the target has: by its index, brought up to date, else by reading its files, so that what a killed import left is known.
  func knownMessages() throws(Explanation) -> KnownMessages {
    let uncounted = try target.uncounted()
    if target.account != nil, let place = try? IndexPlace.of(target.root), place.hasIndex,
      (try? SearchIndex(place).scan()) != nil
    {
      return KnownMessages(place, without: uncounted)
    }
    do throws(SystemError) {
      let folders = try target.present().map { ($0, target.path(of: $0)) }
      return try KnownMessages(folders, without: uncounted, interruption)
    } catch {
      throw Explanation(.noInput, error.description)
    }
  }

  func areThere(_ entries: [ImportBatch.Entry]) throws(SystemError) -> [Bool] {
    guard let known else { return entries.map { _ in false } }
    var messages: [(id: [UInt8], key: CopyKey)] = []
    for entry in entries {
      if let id = entry.message.messageID {
        messages.append((id, entry.key))
      } else {
        messages.append((try Self.contentID(entry), entry.key))
      }
    }
    do throws(IndexError) {
      return try known.there(messages)
    } catch {
      throw SystemError(operation: "search: \(error.message)", path: target.root, code: EIO)
    }
  }

  /// The id that the index gives to a file without a Message-ID.
  static func contentID(_ entry: ImportBatch.Entry) throws(SystemError) -> [UInt8] {
    let path = try entry.message.deliver()?.temporaryPath
    let octets = path.flatMap { try? FileSystem.readFile($0, limit: 64 << 20) } ?? []
    return [UInt8](ascii: "notmuch-sha1-") + Hex.encode(Hashes.sha1(octets))
  }
}

extension MailImport {
  /// Has the index of the target find what was added, durably; where none is to be, nothing is done.
  ///
  /// - Returns: why searches do not find it yet; nil where they do.
  package func updateIndex() -> Explanation? {
    guard let place = try? IndexPlace.of(target.root),
      place.hasIndex || target.account?.isIndexed == true
    else { return nil }
    var index = SearchIndex(place)
    index.subjects = target.account?.subjectThreading
    index.interruption = interruption
    do throws(IndexError) {
      _ = try index.scan()
      return nil
    } catch {
      return Explanation(
        .tryAgain,
        place: target.account?.name ?? target.root.display,
        "searches may not show the messages yet: \(error.message)",
        hint: "they do after the next magnum-sync or magnum index"
      )
    }
  }
}
