/// Makes certificates for servers of the tests.
enum ServerCertificate {
  /// Makes `key.pem` and `cert.pem` for `localhost` and other names in a folder, signed by an authority of its own in `ca.pem`.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - names: the other names.
  ///   - isExpired: whether it was valid last year.
  /// - Throws: `HarnessError` when openssl fails.
  static func make(in folder: String, names: [String] = [], isExpired: Bool = false) throws {
    let alternatives = (["localhost"] + names).map { "DNS:\($0)" }.joined(separator: ",")
    let script = """
      exec 2>&1; cd "$1"
      key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"; }
      key ca.key && key key.pem
      openssl req -x509 -key ca.key -days 2 -subj '/CN=Magnum tests' -out ca.pem \
        -addext keyUsage=critical,keyCertSign
      openssl req -new -key key.pem -subj /CN=localhost -out request.pem
      printf '[ca]\\ndefault_ca=a\\n[a]\\ndatabase=index\\nnew_certs_dir=.\\nserial=serial\\n' > ca.conf
      printf 'default_md=sha256\\npolicy=p\\n[p]\\ncommonName=supplied\\n' >> ca.conf
      printf 'subjectAltName=%s\\nextendedKeyUsage=serverAuth\\nauthorityKeyIdentifier=keyid\\n' "$3" > extensions
      : > index; echo 01 > serial
      openssl ca -batch -config ca.conf -in request.pem -cert ca.pem -keyfile ca.key -extfile extensions \
        -startdate 20250101000000Z -enddate "$2" -notext -out cert.pem
      """
    try Command.shell(
      script,
      [folder, isExpired ? "20250201000000Z" : "20491231000000Z", alternatives]
    )
  }
}
