import Octets
import TestSupport
import Testing
import Web

/// Addresses, forms, what curl is given and what it gives back.
@Suite struct WebTests {
  @Test(arguments: try Fixtures.load("Fixtures/addresses.txt"))
  func addresses(_ fixture: Fixture) throws {
    let octets = try fixture.octets()
    do throws(WebAddress.Problem) {
      let address = try WebAddress(octets)
      #expect(String(decoding: address.octets, as: UTF8.self) == fixture["is"])
      #expect(try WebAddress(address.octets) == address)
    } catch {
      #expect("\(error)" == fixture["fails"])
    }
  }

  /// Whatever is read is read in the same way again, and nothing that steers curl or a terminal gets through.
  @Test func everyOctetEverywhere() throws {
    let text = [UInt8](ascii: "https://a.example:80/p?q=1")
    for place in text.indices {
      for octet in UInt8.min...UInt8.max {
        var changed = text
        changed[place] = octet
        guard let address = try? WebAddress(changed) else { continue }
        #expect(try WebAddress(address.octets) == address)
        #expect(address.octets.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C })
      }
    }
    #expect(throws: WebAddress.Problem.tooLong) {
      try WebAddress(text + [UInt8](repeating: 0x61, count: 8192))
    }
  }

  @Test(arguments: ["https://a.example/", "https://a.example/?", "https://a.example/?q=1"])
  func nothingIsAddedForAnEmptyForm(text: String) throws {
    let address = try WebAddress(text.utf8)
    #expect(address.adding(WebForm()) == address)
  }

  /// The exit status of curl, and whether trying again later may help.
  @Test(
    arguments: [
      (1, false), (2, false), (3, false), (6, true), (7, true), (28, true), (35, true), (47, false),
      (48, false), (56, true), (60, false), (92, true), (137, true),
    ] as [(Int32, Bool)]
  )
  func whatIsTemporary(status: Int32, isTemporary: Bool) {
    #expect(WebFailure(curlStatus: status, words: []).isTemporary == isTemporary)
  }

  @Test func formsComeBackAsTheyWere() throws {
    var form = WebForm()
    form.add("all", [UInt8](UInt8.min...UInt8.max))
    form.add("empty", [])
    form.add("absent", ifPresent: nil)
    form.add("all", [UInt8](ascii: "a b"))
    let encoded = form.encoded
    #expect(WebForm(encoded) == form)
    #expect(encoded.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C && $0 != 0x2B })
    #expect(form.values("all").count == 2)
    #expect(
      WebForm([UInt8](ascii: "a+b=c%20d&&x"))?.fields.map(\.name) == [Array("a b".utf8), [0x78]]
    )
    for bad in ["a=%", "a=%1", "%zz=1"] { #expect(WebForm(Array(bad.utf8)) == nil) }
  }

  @Test func curlGetsEverythingOnItsInput() throws {
    var form = WebForm()
    form.add("refresh_token", [UInt8](ascii: "a\"b\\c\n"))
    let address = try WebAddress([UInt8](ascii: "https://a.example/token"))
    let post = String(
      decoding: WebRequest.post(.form(form), to: address).curlConfiguration,
      as: UTF8.self
    )
    #expect(post.contains("url = \"https://a.example/token\"\n"))
    #expect(post.contains("data-raw = \"refresh_token=a%22b%5Cc%0A\"\n"))
    #expect(post.contains("proto = \"=https\"\n"))
    #expect(!post.contains("location"))
    let json = WebRequest.post(.json([UInt8](ascii: #"{"a":"b"}"#)), to: address)
    let text = String(decoding: json.curlConfiguration, as: UTF8.self)
    #expect(text.contains(#"data-raw = "{\"a\":\"b\"}""# + "\n"))
    let get = String(decoding: WebRequest.get(address).curlConfiguration, as: UTF8.self)
    #expect(get.contains("max-redirs = \"3\"\nproto-redir = \"=https\"\n"))
  }

  @Test func curlGetsTheProxyOnItsInput() {
    let proxy = [UInt8](ascii: "socks5h://p.example:1080")
    let plain = WebRequest.curlLines(through: proxy, login: nil).map {
      String(decoding: $0, as: UTF8.self)
    }
    let start =
      "proxy = \"socks5h://p.example:1080\"\nnoproxy = \"localhost,127.0.0.0/8,::1\"\n"
    #expect(plain == start)
    let login = WebRequest.curlLines(through: proxy, login: [UInt8](ascii: "me:a\"b"))
    #expect(
      login.map { String(decoding: $0, as: UTF8.self) } == start + "proxy-user = \"me:a\\\"b\"\n"
    )
    #expect(WebRequest.curlLines(through: proxy, login: [UInt8](ascii: "me:a\nb")) == nil)
  }

  @Test(
    arguments: [
      ("{}\n200\n\n", 200, nil, "{}", ""), ("a\nb\n503\n120\n", 503, 120, "a\nb", ""),
      ("\n429\nTue, 1 Jan 2030 00:00:00 GMT\n", 429, nil, "", ""),
      ("\n000\n\nCould not resolve host: x", nil, nil, "", "Could not resolve host: x"),
      ("x\n099\n\n", nil, nil, "", ""), ("", nil, nil, "", ""), ("\n\n", nil, nil, "", ""),
    ] as [(String, Int?, Int64?, String, String)]
  )
  func repliesAreRead(
    output: String,
    status: Int?,
    retryAfter: Int64?,
    body: String,
    failure: String
  ) {
    let (reply, words) = WebReply.read(curlOutput: Array(output.utf8))
    #expect(reply?.status == status)
    #expect(reply?.retryAfter == retryAfter)
    if let reply { #expect(reply.body == Array(body.utf8)) }
    #expect(words == Array(failure.utf8))
  }
}
