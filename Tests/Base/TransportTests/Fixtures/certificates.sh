# Makes in the directory $1 the certificates that the TLS tests need; nothing outside of it counts.
cd "$1"
cat > openssl.cnf <<'END'
[req]
distinguished_name = name
[name]
[ca]
default_ca = test
[test]
database = index.txt
serial = serial
new_certs_dir = .
default_md = sha256
policy = anything
unique_subject = no
copy_extensions = copy
email_in_dn = no
[anything]
commonName = supplied
[authority]
basicConstraints = critical, CA:TRUE
END
export OPENSSL_CONF="$1/openssl.cnf"
touch index.txt
echo 01 > serial
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key.pem
openssl req -x509 -new -key key.pem -days 2 -subj '/CN=Magnum test authority' \
  -extensions authority -out ca.pem

# issue NAME COMMON-NAME SUBJECT-ALTERNATIVE-NAME START END
issue() {
  if [ -n "$3" ]; then set -- "$@" -addext "subjectAltName = $3"; else set -- "$@" -batch; fi
  name=$1 common=$2 start=$4 end=$5
  shift 5
  openssl req -new -key key.pem -subj "/CN=$common" "$@" -out request.pem
  openssl ca -batch -notext -cert ca.pem -keyfile key.pem -startdate "$start" -enddate "$end" \
    -in request.pem -out "$name.pem" 2> ca.log || { cat ca.log >&2; exit 1; }
}
now=$(date -u -d '1 hour ago' +%Y%m%d%H%M%SZ)
then=$(date -u -d '1 day' +%Y%m%d%H%M%SZ)
issue good localhost 'DNS:localhost, IP:127.0.0.1, IP:::1' "$now" "$then"
issue other mail.example.org 'DNS:mail.example.org, DNS:example.org' "$now" "$then"
issue wildcard example.org 'DNS:*.example.org' "$now" "$then"
issue partial example.org 'DNS:m*.example.org' "$now" "$then"
issue common localhost '' "$now" "$then"
issue expired localhost 'DNS:localhost' 20200101000000Z 20200102000000Z
issue early localhost 'DNS:localhost' 20990101000000Z 20990102000000Z
openssl req -x509 -new -key key.pem -days 2 -subj '/CN=self/O=Small Office' \
  -addext 'subjectAltName = DNS:localhost' -out self.pem
echo 'not a certificate' > garbage.pem
: > empty.pem
