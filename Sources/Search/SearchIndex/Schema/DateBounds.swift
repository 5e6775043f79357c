/// How late messages are up to a document, so that a search for the newest need not look at all.
///
/// A first build numbers documents by date; what comes later has greater numbers, whatever its date. None of this
/// has to hold for answers to be right: the bounds say what is so.
struct DateBounds {
  /// A bound stands for so many documents.
  static let step = 250

  /// The latest date, as a value, of all documents up to the first, second, third … step.
  private let dates: [[UInt8]]

  private static let size = Schema.date(0).count

  /// The bounds that metadata hold; none where there is none.
  init(_ octets: [UInt8]) {
    dates = stride(from: 0, to: octets.count - octets.count % Self.size, by: Self.size).map {
      Array(octets[$0..<($0 + Self.size)])
    }
  }

  /// Makes what to keep of the dates of documents.
  struct Writer {
    private(set) var octets: [UInt8] = []
    /// How many documents there were.
    private(set) var count = 0
    private var latest = Int64.min

    /// Takes the date of the next document.
    mutating func add(_ date: Int64) {
      latest = max(latest, date)
      count += 1
      if count % step == 0 { octets += Schema.date(latest) }
    }
  }

  /// What to keep of documents with these numbers, which ascend, and dates as values.
  static func octets(_ numbers: [UInt32], _ dates: some Sequence<[UInt8]>) -> [UInt8] {
    var (octets, latest): ([UInt8], [UInt8]) = ([], Schema.date(.min))
    var next: UInt32 = 1
    // A number without a document is no later than those before it.
    func reach(_ end: UInt32) {
      while next < end {
        if Int(next) % step == 0 { octets += latest }
        next += 1
      }
    }
    for (number, date) in zip(numbers, dates) {
      reach(number)
      let date = Array(date.prefix(size))
      if latest.lexicographicallyPrecedes(date) { latest = date }
    }
    if let last = numbers.last { reach(last + 1) }
    return octets
  }

  /// Where to look for the newest, the smallest part first: from a document on, and how late those before it are.
  ///
  /// None of them is more than half of all, which would save nothing.
  var windows: [(first: UInt32, before: [UInt8])] {
    var windows: [(first: UInt32, before: [UInt8])] = []
    var steps = 2
    while steps <= dates.count / 2 {
      let left = dates.count - steps
      windows.append((UInt32(left * Self.step + 1), dates[left - 1]))
      steps *= 4
    }
    return windows
  }
}
