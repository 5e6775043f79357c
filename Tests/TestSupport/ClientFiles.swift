/// Makes certificates by which clients of the tests name themselves.
package enum ClientFiles {
  /// Makes `NAME.pem` and `NAME.key` in a folder, and `locked.key`, which is the same key with the passphrase "word".
  ///
  /// - Parameters:
  ///   - folder: where they go.
  ///   - name: the common name of the certificate, and of its files.
  ///   - authority: the folder of `ca.pem` and `ca.key`, by which it is signed; nil for one that is made in the folder.
  ///   - days: for how long it is valid.
  /// - Throws: `HarnessError` when openssl fails.
  package static func make(
    in folder: String,
    name: String,
    authority: String? = nil,
    days: Int = 30
  ) throws {
    let script = """
      exec 2>&1; cd "$1"; umask 077
      key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"; }
      if [ -z "$3" ]; then
        key ca.key; openssl req -x509 -key ca.key -days 2 -subj '/CN=Another authority' -out ca.pem
        set -- "$1" "$2" . "$4"
      fi
      key "$2.key"; openssl pkey -in "$2.key" -aes256 -passout pass:word -out locked.key
      openssl req -new -key "$2.key" -subj "/CN=$2" -out "$2.csr"
      echo 'extendedKeyUsage=clientAuth' > client.ext
      openssl x509 -req -in "$2.csr" -CA "$3/ca.pem" -CAkey "$3/ca.key" -CAcreateserial -days "$4" \
        -extfile client.ext -out "$2.pem"
      """
    try Command.shell(script, [folder, name, authority ?? "", "\(days)"])
  }
}
