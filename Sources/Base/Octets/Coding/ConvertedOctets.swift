/// What makes other octets of octets, from their beginning to their end, and needs to know little of what came before.
package protocol OctetConverter: Sendable {
  /// What becomes of the next octets; some of it may only be given with later ones.
  ///
  /// - Parameters:
  ///   - octets: those behind what was given before, however many.
  ///   - isEnd: whether they are the last; then nothing is held back.
  /// - Returns: the converted octets.
  mutating func convert(_ octets: ArraySlice<UInt8>, isEnd: Bool) -> [UInt8]

  /// How many octets are kept to be converted with later ones, where that can be many.
  var heldBack: Int { get }
}

extension OctetConverter {
  /// Never many.
  package var heldBack: Int { 0 }

  /// All of the octets, converted.
  package func converted(_ octets: [UInt8]) -> [UInt8] {
    var converter = self
    return converter.convert(octets[...], isEnd: true)
  }
}

/// The octets of a source, converted as they are read.
package struct ConvertedOctets<Converter: OctetConverter>: OctetSource {
  /// A place from which the source can be converted on.
  private struct Place {
    /// How many octets of the source were taken before.
    let taken: Int
    /// How many octets were made of them.
    let made: Int
    let converter: Converter
  }

  /// How many octets of the source are converted together.
  private static var runSize: Int { 1 << 14 }
  /// A converter that holds back more octets is not remembered: there may be a place after each run.
  private static var heldBackLimit: Int { 1 << 10 }

  private let source: any OctetSource
  private let places: [Place]

  package let count: Int

  /// Reads the source once.
  ///
  /// - Throws: `SourceError` where it cannot be read.
  package init(_ source: any OctetSource, _ converter: Converter) throws(SourceError) {
    self.source = source
    var (places, converter, taken, made): ([Place], Converter, Int, Int) = ([], converter, 0, 0)
    repeat {
      if converter.heldBack <= Self.heldBackLimit {
        places.append(Place(taken: taken, made: made, converter: converter))
      }
      let run = try Self.readRun(source, from: taken)
      made += converter.convert(run, isEnd: taken + run.count == source.count).count
      taken += run.count
    } while taken < source.count
    (self.places, count) = (places, made)
  }

  /// Those of a range, all of them; see `OctetSource`.
  package func octets(in range: Range<Int>) throws(SourceError) -> ArraySlice<UInt8> {
    guard !range.isEmpty else { return [] }
    let place = places[places.firstPosition { $0.made > range.lowerBound } - 1]
    var (converter, taken) = (place.converter, place.taken)
    var result: [UInt8] = []
    repeat {
      let run = try Self.readRun(source, from: taken)
      result += converter.convert(run, isEnd: taken + run.count == source.count)
      taken += run.count
    } while place.made + result.count < range.upperBound && taken < source.count
    let start = range.lowerBound - place.made
    guard start + range.count <= result.count else { throw SourceError(.changed, path: nil) }
    return result[start..<start + range.count]
  }

  /// The octets that are converted together, from that place on.
  private static func readRun(
    _ source: any OctetSource,
    from start: Int
  ) throws(SourceError) -> ArraySlice<UInt8> {
    try source.octets(in: start..<min(source.count, start + runSize))
  }
}
