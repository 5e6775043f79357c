/// Packages that `Tests/need` unpacks instead of installing them.
enum UnpackedPackage {
  /// The folder that stands for the root folder of a package.
  static func folder(_ name: String) -> String {
    var parts = "\(#filePath)".split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(3)
    return parts.joined(separator: "/") + "/.build/need/" + name
  }
}
