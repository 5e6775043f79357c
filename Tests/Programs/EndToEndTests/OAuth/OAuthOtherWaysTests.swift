import TestSupport
import Testing

/// Logging in without a browser on this machine: by a pasted address, on another device.
@Suite struct OAuthOtherWaysTests {
  @Test func theLastAddressMayBePasted() throws {
    let stage = try OAuthStage()
    try stage.browse("echo started >> \"$HOME/started\"")
    let script = """
      cd "$HOME"; mkfifo in
      "$1" accounts login --paste test < in 2> err & process=$!
      exec 3> in
      until grep -q https err; do sleep 0.1; done
      to=$(curl -sS --cacert "$SSL_CERT_FILE" -o /dev/null -w '%{redirect_url}' "$(grep -o 'https.*' err)")
      echo "http://127.0.0.1:1/?code=x" >&3
      until grep -q 'not the address' err; do sleep 0.1; done
      echo "  $to" >&3
      wait $process; status=$?
      cat err >&2
      exit $status
      """
    let command = stage.program.command([], stage.variables)
    let outcome = try Command(
      "/bin/sh",
      ["-uc", script, "sh", stage.program.path],
      environment: command.environment
    ).run()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(!stage.grant.isEmpty && !Files.exists(stage.program.home["started"]))
  }

  /// What standard input is, and how many lines of it are no address.
  @Test(
    arguments: [
      ("< /dev/null", 0), ("<&-", 0), ("< \"$HOME\"", 0), ("< \"$HOME/lines\"", 3),
    ]
  )
  func anInputThatEndsEndsTheLogin(input: String, count: Int) throws {
    let stage = try OAuthStage()
    try stage.program.home.write("one\n\n  \ntwo\nthree", to: "lines")
    let command = stage.program.command([], stage.variables)
    let outcome = try Command(
      "/bin/sh",
      ["-uc", "exec \"$1\" accounts login --paste test \(input)", "sh", stage.program.path],
      environment: command.environment
    ).run()
    #expect(outcome.code == 77 && outcome.errors.contains("standard input ended"), "\(outcome)")
    #expect(outcome.errors.split(separator: "\n").count { $0.contains("not the address") } == count)
  }

  @Test func aLoginOnAnotherDevice() throws {
    let stage = try OAuthStage()
    try stage.authority.set("{\"pending\": 2, \"user\": \"\(stage.user)\"}")
    let outcome = try stage.accounts("login", "--device", "test")
    #expect(outcome.code == 0 && outcome.errors.contains("type: WDJB-MJHT"), "\(outcome)")
    #expect(
      stage.requests("device_code").map {
        $0.split(separator: " ").dropFirst(3).joined(separator: " ")
      }
        == ["400 authorization_pending", "400 authorization_pending", "200"]
    )
    #expect(try stage.mirror().code == 0)
  }

  /// What the server says to a login on another device, and the exit status.
  @Test(arguments: [(503, 75), (429, 75), (400, 78)] as [(Int, Int32)])
  func aDeviceThatIsRefused(answer: Int, status: Int32) throws {
    let stage = try OAuthStage()
    try stage.authority.set("{\"device\": \(answer)}")
    let outcome = try stage.accounts("login", "--device", "test")
    #expect(outcome.code == status, "\(outcome)")
  }

  @Test func aClientThatIsUnknownForDevices() throws {
    let stage = try OAuthStage()
    try stage.configure("issuer = \"\(stage.authority.issuer)\"\nclient-id = \"nobody\"")
    let outcome = try stage.accounts("login", "--device", "test")
    #expect(outcome.code == 78 && outcome.errors.contains("check client-id"), "\(outcome)")
  }
}
