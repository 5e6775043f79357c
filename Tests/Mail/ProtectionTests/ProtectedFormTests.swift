import MIME
import Octets
import Testing

@testable import Protection

/// The boundary of a protected message is in none of its parts, nor does it begin one that is.
struct ProtectedFormTests {
  @Test(arguments: [
    ("hello", "=_s_token"), ("--=_s_token", "=_s_token_1"), ("a\n--=_s_token--", "=_s_token_1"),
    ("--=_s_tokenmore", "=_s_token_1"), ("a\n--=_s_token\n--=_s_token_1\n", "=_s_token_2"),
    ("a --=_s_token", "=_s_token"), ("=_s_token", "=_s_token"), ("--=_S_token", "=_s_token"),
  ])
  func boundariesAreInNoPart(_ text: String, _ boundary: String) throws {
    let form = ProtectedForm(token: [UInt8](ascii: "token"))
    let entity = [UInt8]("Content-Type: text/plain\n\n\(text)\n".utf8)
    let hash = [UInt8](ascii: "pgp-sha256")
    let written = try form.signed(entity, [UInt8](ascii: "x\n"), .openPGP, hash: hash)
    let root = Message(try written.whole()).root
    #expect(root.contentType.parameters.octets("boundary") == [UInt8](boundary.utf8))
    #expect(
      root.children.count == 2 && root.children.first?.body.elementsEqual("\(text)\n".utf8) == true
    )
  }
}
