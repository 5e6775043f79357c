import MailModel
import Threads

/// An index as small as can be: messages with the names of their threads, changed one at a time in the way the
/// great one does it, from the neighbourhood of the change alone.
struct SmallIndex {
  let subjects: SubjectThreading
  private(set) var members: [ThreadMember] = []
  private(set) var names: [ThreadID?] = []

  init(_ subjects: SubjectThreading) {
    self.subjects = subjects
  }

  mutating func add(_ member: ThreadMember) {
    members.append(member)
    names.append(nil)
    rename(near: members.indices.filter { isNeighbour(members[$0], member) })
  }

  mutating func remove(_ member: ThreadMember) {
    guard let place = members.firstIndex(of: member) else { return }
    let name = names[place]
    members.remove(at: place)
    names.remove(at: place)
    rename(near: members.indices.filter { names[$0] == name || hasSubject(members[$0], member) })
  }

  /// The messages of each thread.
  var threads: [[ThreadMember]] {
    var result: [ThreadID: [ThreadMember]] = [:]
    for (member, name) in zip(members, names) {
      if let name { result[name, default: []].append(member) }
    }
    return Array(result.values)
  }

  private func isNeighbour(_ one: ThreadMember, _ other: ThreadMember) -> Bool {
    let keys = Set([other.id] + other.links)
    return keys.contains(one.id) || one.links.contains { keys.contains($0) }
      || hasSubject(one, other)
  }

  private func hasSubject(_ one: ThreadMember, _ other: ThreadMember) -> Bool {
    one.subject != nil && one.subject?.key == other.subject?.key
  }

  /// Threads anew all that shares a thread with one of these.
  private mutating func rename(near places: [Int]) {
    let touched = Set(places.compactMap { names[$0] })
    let all = members.indices.filter {
      names[$0].map { touched.contains($0) } ?? true || places.contains($0)
    }
    let some = all.map { members[$0] }
    let threads = ThreadPartition.threads(of: some, subjects: subjects)
    for thread in threads {
      for place in thread { names[all[place]] = ThreadID(oldest: some[thread[0]].id) }
    }
  }
}
