import Octets
import Query

/// Reads a query; a mistake has to point into it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let octets = Array(UnsafeBufferPointer(start: data, count: count))
  do throws(QueryError) {
    _ = try QueryParser.parse(octets, DateContext(now: 1_795_267_845))
  } catch {
    precondition(error.place.lowerBound >= 0 && error.place.upperBound <= count)
    _ = error.description
  }
  var scanner = WordScanner()
  _ = scanner.words(octets)
  return 0
}
