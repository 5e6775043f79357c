extension Trace {
  /// Which of several files, all of which have the name of the message, is most like it: the first of those that are so equally;
  /// nil where there are none.
  ///
  /// Its content counts more than its size, which a server may have changed with the header. A file that cannot be read is nil,
  /// and like nothing.
  package func likest(among files: [Trace?]) -> Int? {
    let likenesses = files.map { file -> Int in
      guard let file else { return -1 }
      let same = Sameness.compare(self, file, .inPlace)
      return 2 * same.level.rawValue + (same.agreeing.contains(.size) ? 1 : 0)
    }
    return likenesses.max().flatMap { likenesses.firstIndex(of: $0) }
  }
}
