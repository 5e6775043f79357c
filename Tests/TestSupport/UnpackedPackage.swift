/// Packages that `Tests/need` unpacks instead of installing them.
package enum UnpackedPackage {
  /// The folder that stands for the root folder of a package.
  package static func folder(_ name: String) -> String {
    var parts = "\(#filePath)".split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(3)
    return parts.joined(separator: "/") + "/.build/need/" + name
  }
}
