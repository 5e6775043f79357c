internal import Octets

/// Base names for files where their own belong to other messages.
package enum FreshName {
  /// The `number`th, from 1: `_1` behind what comes before the first dot.
  package static func form(_ number: Int, of name: [UInt8]) -> [UInt8] {
    let stem = name.prefix { $0 != ASCII.dot }
    return stem + [ASCII.underscore] + [UInt8](decimal: number) + name[stem.endIndex...]
  }

  /// Those of the names, and of the names that files could get in their place, that are there.
  ///
  /// Where several have one name each of them may get one, and finds those given away that the others got.
  package static func taken(of names: [[UInt8]], isThere: ([UInt8]) -> Bool) -> [[UInt8]] {
    var taken: [[UInt8]] = []
    for (name, count) in Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +) {
      if isThere(name) { taken.append(name) }
      var (number, free) = (0, 0)
      while free < count {
        number += 1
        let fresh = form(number, of: name)
        if isThere(fresh) { taken.append(fresh) } else { free += 1 }
      }
    }
    return taken
  }
}
