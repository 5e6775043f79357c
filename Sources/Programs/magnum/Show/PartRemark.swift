internal import MIME

/// What people have to know of a part that is not, or not wholly, shown.
enum PartRemark {
  /// Nil for a part of which there is nothing to say.
  static func text(_ part: Part) -> String? { text(part, part.losses) }

  /// The same, of a part of which not all is in memory.
  static func text(_ part: Part, _ losses: [PartLoss]) -> String? {
    let remarks = [secured(part), fragment(part)].compactMap { $0 } + losses.map(text)
    return remarks.isEmpty ? nil : remarks.joined(separator: "; ")
  }

  private static func secured(_ part: Part) -> String? {
    switch part.secured {
    case .signed?: "a message signed with S/MIME, not opened"
    case .encrypted?: "a message encrypted with S/MIME, not opened"
    case .compressed?: "a message compressed with S/MIME, not opened"
    case .certificates?, nil: nil
    }
  }

  private static func fragment(_ part: Part) -> String? {
    part.contentType.fragment.map { number, total in
      "piece \(number)\(total.map { " of \($0)" } ?? "") of a message"
    }
  }

  private static func text(_ loss: PartLoss) -> String {
    switch loss {
    case .lines(1): "1 line is damaged"
    case .lines(let count): "\(count) lines are damaged"
    case .end: "the end is missing"
    case .damage: "damaged"
    case .objects(1): "1 object in it cannot be read"
    case .objects(let count): "\(count) objects in it cannot be read"
    }
  }
}
