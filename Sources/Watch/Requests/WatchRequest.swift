internal import Octets
internal import Syncing

/// What a program asks of a watch: a sync of the account now, over the connection that is open.
///
/// A line: `sync`, the version, the checksum of the configuration, the form of the report, and whether somebody waits for it.
struct WatchRequest: Hashable, Sendable {
  /// The longest line, in octets.
  static let limit = 200

  /// What the program has read as its configuration.
  let configuration: UInt64
  /// In which form the sync is reported to it.
  let form: ReportForm
  /// Whether standing problems are reported each time, as to a person.
  let isAttended: Bool

  init(configuration: UInt64, form: ReportForm, isAttended: Bool) {
    self.configuration = configuration
    self.form = form
    self.isAttended = isAttended
  }

  /// The request of a line without its end; nil for anything else, such as what a later version asks.
  init?(_ line: ArraySlice<UInt8>) {
    let words = line.split(separator: ASCII.space, omittingEmptySubsequences: false)
    guard words.count == 5, words[0].elementsEqual("sync".utf8), words[1].elementsEqual("1".utf8),
      let configuration = UInt64(String(decoding: words[2], as: UTF8.self), radix: 16),
      let form = Self.forms.first(where: { words[3].elementsEqual(Self.word($0).utf8) }),
      let isAttended = Self.answer(words[4])
    else { return nil }
    self.init(configuration: configuration, form: form, isAttended: isAttended)
  }

  /// The line, with its end.
  var line: [UInt8] {
    let words = [
      "sync", "1", String(configuration, radix: 16), Self.word(form),
      isAttended ? "attended" : "unattended",
    ]
    return Array((words.joined(separator: " ") + "\n").utf8)
  }

  private static let forms: [ReportForm] = [
    .json, .text(.quiet), .text(.normal), .text(.verbose),
  ]

  private static func word(_ form: ReportForm) -> String {
    switch form {
    case .json: "json"
    case .text(.quiet): "quiet"
    case .text(.normal): "normal"
    case .text(.verbose): "verbose"
    }
  }

  private static func answer(_ word: ArraySlice<UInt8>) -> Bool? {
    if word.elementsEqual("attended".utf8) { return true }
    return word.elementsEqual("unattended".utf8) ? false : nil
  }
}
