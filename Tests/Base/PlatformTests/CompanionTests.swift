import Platform
import TestSupport
import Testing

/// What is loaded or run, and the packages that have to name it.
@Suite struct CompanionTests {
  /// The names of packages in a field of Debian's, without versions.
  private func packages(_ field: String, of control: String) -> Set<String> {
    let line = control.split(separator: "\n").first { $0.hasPrefix("\(field): ") } ?? ""
    return Set(
      line.dropFirst(field.count + 2).split(separator: ",").compactMap {
        $0.split(separator: " ").first.map { String($0) }
      }
    )
  }

  @Test func debiansPackageNamesThem() throws {
    let root = Fixtures.project("")
    let control = try Command.shell("make -s -C \"$1\" deb-control", [root])
    for (need, field, others) in [
      (Companion.Need.required, "Depends", ["libc6", "libgcc-s1", "libstdc++6", "libxapian30"]),
      (.recommended, "Recommends", ["ca-certificates"]), (.suggested, "Suggests", []),
    ] {
      let wanted = Companion.all.filter { $0.need == need }.map(\.package)
      #expect(packages(field, of: control) == Set(wanted + others), "\(field)")
    }
    for companion in Companion.all where companion.need == .recommended {
      let version = "\(companion.package) (>= \(companion.version))"
      #expect(control.contains(version), "\(version)")
    }
  }

  /// The words that other systems have for packages of Debian's.
  private static let names = [
    "libssl3": "openssl", "libexpat1": "expat", "libidn2-0": "libidn2", "libpsl5": "libpsl",
    "openssh-client": "openssh", "zlib1g": "zlib",
  ]

  @Test(arguments: ["PKGBUILD", "flake.nix"])
  func theExamplesNameThem(file: String) throws {
    let text = try #require(Files.text(Fixtures.project("examples/packages/\(file)")))
    let words = Set(text.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map { String($0) })
    for companion in Companion.all {
      let name = Self.names[companion.package] ?? companion.package
      #expect(words.contains(name), "\(name)")
    }
    #expect(text.contains(Version.number))
  }

  @Test func whatIsThereIsFound() throws {
    #expect(Companion.all.first { $0.name == "libssl.so.3" }?.isFound == true)
  }
}
