internal import CPlatform

/// A library that is loaded, or a program that is run, once it is needed: no build links it, so no package finds it by itself.
///
/// The one list of them: `magnum status -v` prints it, and the packages that are made or shown as examples are held against it.
package struct Companion: Sendable {
  /// What is lost without it.
  package enum Need: Sendable {
    /// Hardly anything works.
    case required
    /// A feature that many use is missing.
    case recommended
    /// A feature that some use is missing.
    case suggested
  }

  /// How it is found.
  package enum Kind: Sendable {
    /// A shared library, by its name for the loader.
    case library(String)
    /// A program in the search path.
    case program(String)
  }

  package let kind: Kind
  /// The least version.
  package let version: String
  package let need: Need
  /// Debian's name of its package.
  package let package: String
  package let purpose: String

  private init(_ kind: Kind, _ version: String, _ need: Need, _ package: String, _ purpose: String)
  {
    self.kind = kind
    self.version = version
    self.need = need
    self.package = package
    self.purpose = purpose
  }

  /// All of them.
  package static let all = [
    Companion(.library("libssl.so.3"), "3.0", .required, "libssl3", "TLS and digests"),
    Companion(.library("libexpat.so.1"), "2.0", .recommended, "libexpat1", "finding servers"),
    Companion(.program("curl"), "7.84", .recommended, "curl", "OAuth and finding servers"),
    Companion(.library("libidn2.so.0"), "2.0", .recommended, "libidn2-0", "domains beyond ASCII"),
    Companion(.library("libpsl.so.5"), "0.16", .recommended, "libpsl5", "owners of domains"),
    Companion(.library("libz.so.1"), "1.2", .recommended, "zlib1g", "compressed connections"),
    Companion(.program("less"), "0", .suggested, "less", "the pager of magnum show"),
    Companion(.program("xdg-open"), "0", .suggested, "xdg-utils", "opening attachments and logins"),
    Companion(.program("run-mailcap"), "0", .suggested, "mailcap", "opening attachments"),
    Companion(.program("ssh"), "0", .suggested, "openssh-client", "archives on other machines"),
  ]

  /// The name by which it is found.
  package var name: String {
    switch kind {
    case .library(let name), .program(let name): name
    }
  }

  /// Whether this machine has it.
  package var isFound: Bool {
    switch kind {
    case .library(let name): magnum_has_library(name)
    case .program(let name): Environment.hasProgram(name)
    }
  }
}
