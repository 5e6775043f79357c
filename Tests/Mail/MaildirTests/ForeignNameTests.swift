@testable import Maildir
import TestSupport
import Testing

@Suite("Names that other tools gave")
struct ForeignNameTests {
  private static let digest = "7e33429f656f1e6e9d79b29c3f82c57e"

  @Test(
    "names",
    arguments: [
      // mbsync's own, with flags, on somebody else's name, with another delimiter of flags.
      ("1795244621.13231_2.vm,U=2", "near 2"), ("1795244621.13231_2.vm,U=2:2,S", "near 2"),
      ("1700000000.local.host,U=16", "near 16"), ("1700000000.M1P2.vm,S=34,W=35,U=7", "near 7"),
      ("1795244693.13791_14.vm,U=14;2,F", "near 14"), ("1795244693.13791_14.vm,U=14!2,", "near 14"),
      ("1795244621.vm,U=4294967295", "near 4294967295"), ("1795244621.vm,U=0", "synced"),
      // offlineimap's.
      ("1795244691_2.13642.vm,U=2,FMD5=\(digest)", "server 2 \(digest)"),
      ("1795244691_2.13642.vm,U=2,FMD5=\(digest):2,S", "server 2 \(digest)"),
      ("1795244691_2.13642.vm,U=2,FMD5=\(digest.uppercased())!2,", "server 2 \(digest)"),
      ("1795244691_2.13642.vm,U=0,FMD5=\(digest)", "synced \(digest)"),
      ("1795244691_2.13642.vm,FMD5=\(digest)", "new \(digest)"),
      // A name of the one that the other went on with: the first number is the one that both believe.
      ("1795244621.13231_2.vm,U=2,U=9", "near 2"),
      ("1795244691_2.13642.vm,U=5,FMD5=\(digest),U=9", "server 5 \(digest)"),
      // Neither's.
      ("", "new"), ("1700000000.M1P2.vm", "new"), ("1700000000.M1P2.vm,S=34,W=35", "new"),
      ("1700000000.V17U5.0123456789abcdef,S=12,W=13", "new"), ("U=5", "new"), ("a,u=5", "new"),
      ("a,U=", "new"), ("a,U=x", "new"), ("a,U=5x", "new"), ("a,U=-5", "new"), ("a, U=5", "new"),
      ("a,U=4294967296", "new"), ("a,U=99999999999999999999", "new"), ("a,UU=5", "new"),
      ("a,U=5,FMD5=7e33", "near 5"), ("a,U=5,FMD5=\(digest)0", "near 5"),
      ("a,U=5,FMD5=zz33429f656f1e6e9d79b29c3f82c57e", "near 5"),
    ]
  )
  func names(_ name: String, _ wanted: String) {
    #expect(Self.text(ForeignName(Array(name.utf8))) == wanted)
  }

  @Test("octets of every kind trap nowhere")
  func garbage() {
    var random = SeededGenerator(seed: 1)
    let alphabet = Array("a,U=5FMD:;!\u{0}".utf8) + [0xFF]
    for length in 0..<3000 {
      let name = (0..<(length % 40)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      let read = ForeignName(name)
      #expect(read.nearUID == nil || read.serverUID == nil)
      #expect(read.wasSynced || (read.nearUID == nil && read.serverUID == nil))
    }
  }

  private static func text(_ name: ForeignName) -> String {
    var words: [String] = []
    if let uid = name.nearUID { words.append("near \(uid)") }
    if let uid = name.serverUID { words.append("server \(uid)") }
    if words.isEmpty { words.append(name.wasSynced ? "synced" : "new") }
    if let digest = name.mailboxDigest { words.append(String(decoding: digest, as: UTF8.self)) }
    return words.joined(separator: " ")
  }
}
