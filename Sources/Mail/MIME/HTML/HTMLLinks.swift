internal import Octets

/// Which addresses of links are written: those that their text does not say, and of pictures alone each once, unless a text
/// leads there too.
struct HTMLLinks {
  /// The link that the text lies in, and how much was written when it began.
  private(set) var open: (url: [UInt8], start: Int)?

  private var hasPicture = false
  private var ofTexts: Set<[UInt8]> = []
  private var ofPictures: Set<[UInt8]> = []
  private let known: Set<[UInt8]>

  /// `known` are addresses that no picture alone has to tell.
  init(knowing known: Set<[UInt8]> = []) {
    self.known = known
  }

  /// The addresses of texts, where a picture alone told one of them too early; nil where none did.
  var doubles: Set<[UInt8]>? {
    known.isEmpty && !ofPictures.isDisjoint(with: ofTexts) ? ofTexts : nil
  }

  mutating func begin(_ url: [UInt8], at start: Int) {
    open = (url, start)
    hasPicture = false
  }

  /// Takes a picture in the link, unless it is none to look at, but one that counts readers.
  mutating func addPicture(_ attributes: HTMLAttributes) {
    let sizes = [attributes.value("width"), attributes.value("height")]
    let isTiny = sizes.contains { $0 == [0x30] || $0 == [0x31] || $0 == [UInt8](ascii: "1px") }
    if !isTiny { hasPicture = true }
  }

  /// Ends the link.
  ///
  /// - Parameter needsURL: whether its text does not say where it leads; nil where it has none.
  /// - Returns: whether its address is to be written.
  mutating func end(needsURL: Bool?) -> Bool {
    guard let url = open?.url else { return false }
    open = nil
    guard let needsURL else {
      return hasPicture && !known.contains(url) && ofPictures.insert(url).inserted
    }
    ofTexts.insert(url)
    return needsURL
  }
}
