internal import Octets

/// The lines `Attached:` in the text of a draft: each names an attachment that it has already.
struct AttachedLines {
  private let attachments: [DraftAttachment]
  private var named: Set<Int> = []

  init(of attachments: [DraftAttachment]) {
    self.attachments = attachments
  }

  /// The values of the lines, in the order of the attachments: a number and a name.
  var values: [[UInt8]] {
    attachments.enumerated().map { index, attachment in
      [UInt8](decimal: index + 1) + [ASCII.space] + attachment.name
    }
  }

  /// The attachments that were named.
  var kept: [DraftAttachment] {
    attachments.indices.filter(named.contains).map { attachments[$0] }
  }

  /// Takes in the value of a line; false where it names no attachment.
  ///
  /// Only where a name is that of several, or left out, the number decides between them. An empty line names nothing.
  mutating func keep(_ value: [UInt8]) -> Bool {
    if value.isEmpty { return true }
    guard let index = index(of: value) else { return false }
    named.insert(index)
    return true
  }

  private func index(of value: [UInt8]) -> Int? {
    var cursor = Cursor(value)
    let number = cursor.decimal().map { Int(clamping: $0) - 1 }
    let name = OneLine.text(number == nil ? value : [UInt8](cursor.remaining))
    if name.isEmpty { return number.flatMap { attachments.indices.contains($0) ? $0 : nil } }
    let same = attachments.indices.filter { OneLine.text(attachments[$0].name) == name }
    if let number, same.contains(number) { return number }
    return same.count == 1 ? same[0] : nil
  }
}

/// A value as it stands in one line of a draft.
enum OneLine {
  /// Without line ends, and without blanks around it.
  static func text(_ value: [UInt8]) -> [UInt8] {
    let line = value.map { ASCII.isControl($0) ? ASCII.space : $0 }
    return [UInt8](line[...].trimmingBlanks)
  }
}
