import TestSupport

/// A stage whose account gets its tokens without a person, with keys in the folder `keys` of the home.
struct OAuthMachineStage {
  let stage: OAuthStage

  init() throws {
    stage = try OAuthStage()
    // Half of each pair is for the server.
    try Command.shell(
      """
      exec 2>&1; mkdir "$1/keys" "$2/keys"; cd "$1/keys"; umask 077
      openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.key
      openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out crt.key
      openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ec.key
      openssl req -x509 -key crt.key -days 2 -subj /CN=client -out crt.pem; cp crt.pem "$2/keys/crt.crt"
      for k in rsa crt ec; do openssl pkey -in $k.key -pubout -out $k.pub; cp $k.pub "$2/keys"; done
      """,
      [stage.program.home.path, stage.authority.folder]
    )
  }

  /// The section of the token endpoint with these lines.
  func section(_ lines: String) -> String {
    "token-endpoint = \"\(stage.authority.issuer)/token\"\n\(lines)"
  }

  /// A client that signs, for the user of this stage.
  ///
  /// - Parameters:
  ///   - more: further lines of the section.
  ///   - account: further lines of the account.
  /// - Throws: `HarnessError` when a file cannot be written.
  func configure(_ more: String = "", account: String = "") throws {
    try stage.configure(
      section(
        """
        grant = "client-credentials"
        client-id = "ec"
        client-key-file = "~/keys/ec.key"
        scopes = ["mail"]
        \(more)
        """
      ),
      account: account
    )
    try set()
  }

  /// Sets switches of the authorization server besides the user.
  func set(_ members: String = "") throws {
    try stage.authority.set("{\"user\": \"\(stage.user)\"\(members.isEmpty ? "" : ", ")\(members)}")
  }

  /// The requests for tokens.
  var requests: [String] {
    stage.authority.requests.filter { $0.hasPrefix("POST /token ") }
  }
}
