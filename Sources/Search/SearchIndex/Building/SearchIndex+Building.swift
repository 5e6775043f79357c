internal import MailModel
internal import Maildir
internal import Octets
internal import Platform

// Making an index as a whole, beside the one that answers meanwhile.
extension SearchIndex {
  /// Makes the index anew from the whole Maildir, beside the one that is there, which answers meanwhile.
  ///
  /// Durable on return, and the one that answers.
  ///
  /// - Throws: `locked` where another writer was too slow; what the system and the library say. What was there is
  ///   still there then.
  @discardableResult
  package func build() throws(IndexError) -> IndexReport {
    let lock = try WriterLock.acquire(place, wait: wait)
    let report = try buildLocked()
    withExtendedLifetime(lock) {}
    return report
  }

  private func buildLocked() throws(IndexError) -> IndexReport {
    // One whose name cannot be read is no generation: it is replaced.
    let old = (try? generation()) ?? nil
    let number = try newGeneration()
    // One that is damaged says nothing.
    let before = old.flatMap { self.threading(of: $0) }
    let subjects = self.subjects ?? before ?? .replies
    let build = FirstBuild(
      root: place.root,
      subjects: subjects,
      interruption: interruption,
      progress: progress
    )
    do throws(IndexError) {
      do throws(SystemError) {
        try place.removeLeftovers(keeping: old, now: seconds)
        try FileSystem.makeDirectories(place.scratch)
      } catch {
        throw IndexError.system(error)
      }
      return try make(build, number)
    } catch {
      // What was cut short only takes room, which may be what is missing.
      try? IndexPlace.removeTree(place.scratch)
      try? IndexPlace.removeTree(place.generation(number))
      throw error
    }
  }

  private func make(_ build: FirstBuild, _ number: Int) throws(IndexError) -> IndexReport {
    var folders = FolderTable()
    var writer = try StoredFilesWriter(place.scratch.appending("files"))
    let listing = try MaildirListing(place.root, unlessAs: nil, now: now()) {
      (folder, found) throws(IndexError) in
      _ = folders.number(of: folder)
      try writer.add(found)
    }
    let path = place.generation(number)
    let result = try build.makeDatabase(
      try writer.finish(),
      folders,
      to: path,
      scratch: place.scratch
    )
    do throws(SystemError) { try IndexPlace.removeTree(place.scratch) } catch {
      throw .system(error)
    }
    let metadata: [(String, [UInt8])] = [
      (Schema.Key.schema, Array(decimal: Schema.number)),
      (Schema.Key.uuid, Array(IndexRevision.newUUID().utf8)),
      (Schema.Key.folders, folders.octets),
      (Schema.Key.labels, result.labels.octets),
      (Schema.Key.revision, Array(decimal: FirstBuild.revision)),
      (Schema.Key.fingerprints, listing.fingerprints.octets),
      (Schema.Key.subjects, build.subjects.stored),
      (Schema.Key.unread, Readings.octets(result.unreadable, folders)),
      (Schema.Key.bounds, result.dateBounds),
    ]
    let database = try XapianDatabase.writable(path)
    for (key, value) in metadata + result.people.metadata {
      try database.setMetadata(key, value)
    }
    try database.flush()
    try publish(number)
    var report = result.report
    report.unreadable = listing.unreadable.map(\.error)
    return report
  }

  /// Makes a generation durable, and then the current one.
  private func publish(_ number: Int) throws(IndexError) {
    do throws(SystemError) {
      try Generation(place.generation(number)).synchronise()
      try FileSystem.synchroniseDirectory(place.directory)
      try place.publish(number)
    } catch {
      throw .system(error)
    }
  }

  /// Writes the index anew without gaps, beside the one that is there.
  ///
  /// - Throws: as ``build()``.
  package func compact() throws(IndexError) {
    let lock = try WriterLock.acquire(place, wait: wait)
    try compactLocked()
    withExtendedLifetime(lock) {}
  }

  /// The same under the writer's lock.
  func compactLocked() throws(IndexError) {
    let old = try currentGeneration()
    let number = try newGeneration()
    let path = place.generation(number)
    do throws(SystemError) {
      try place.removeLeftovers(keeping: old, now: seconds)
      try IndexPlace.removeTree(path)
    } catch {
      throw .system(error)
    }
    do throws(IndexError) {
      let database = try Generation(place.generation(old)).open()
      Heartbeat.give()
      try database.compact(to: path)
      Heartbeat.give()
      let numbers = try database.postings([])
      let dates = try database.values(numbers, Schema.Slot.date)
      let people = try database.values(numbers, Schema.Slot.people)
      let bounds = (key: Schema.Key.bounds, value: DateBounds.octets(numbers, dates))
      try Tiers.carry(
        from: database,
        to: path,
        try [bounds] + PeopleTable.withoutUnused(people, database)
      )
      try publish(number)
    } catch {
      // What was cut short only takes room, which may be what is missing.
      try? IndexPlace.removeTree(path)
      throw error
    }
  }

  /// A number above all that are there, finished or not.
  private func newGeneration() throws(IndexError) -> Int {
    var greatest = 0
    do throws(SystemError) {
      try FileSystem.entries(of: place.directory) { name, _ in
        greatest = max(greatest, IndexPlace.generationNumber(name) ?? 0)
      }
    } catch {
      throw .system(error)
    }
    return greatest + 1
  }
}
