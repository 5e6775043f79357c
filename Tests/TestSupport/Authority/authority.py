"""An authorization server for tests (RFC 6749, 7009, 7591, 7636, 7662, 8414, 8628, 9207), https on loopback.

authority.py FOLDER PORT PLAIN-PORT. In FOLDER are cert.pem and key.pem. It ends when its standard input does. PLAIN-PORT has
/introspect without TLS. Each request is a line in FOLDER/log: "METHOD PATH [grant_type] STATUS [error]". FOLDER/switches is
read with each request, a JSON object (tokens of other servers of this kind are asked about there):

  issuer, metadata   another issuer, or "html", a status, in the metadata; "html-oauth": html at the address of RFC 8414 alone
  device             a status with which logins on other devices are refused
  announce           the metadata says that answers name the issuer
  registration       false: no registration
  authorize          "page": a page asks for consent before, as people see one, and its script agrees;
                     "deny", "state", "iss", "path", "no-iss", "used": what goes wrong on the way back
  token              a status, "html", "missing", "huge", "slow", "redirect", "drop" (done, and no answer): what goes wrong with tokens;
                     "drop-once" is for the first request alone, "slow-SECONDS" answers after so long, and a line with the
                     status "taken" is written before
  answer             members of the answers with tokens that are other than usual; null: missing
  expires            seconds for which access tokens are valid; 3600
  refresh            false: no refresh tokens; "consent": only for logins with prompt=consent
  rotation           false: refresh tokens stay
  scope              the scope that is granted, in place of the one asked for
  pending            so many questions about a device are answered with authorization_pending
  user               whose tokens they are; otherwise login_hint
  clock              so many seconds the clock is ahead that statements of clients are held against
  audience           whom statements of clients have to be for, in place of the token endpoint
  kid                the name of the key that they have to name
  refuse             an error with which clients without a person are refused

Clients without a person are those with a public key, FOLDER/keys/CLIENT.pub, and with client credentials `client`. Statements are
verified by openssl(1). Where FOLDER/keys/CLIENT.crt is there, they have to name its thumbprints.
"""

import base64
import hashlib
import http.server
import json
import os
import secrets
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

folder, port, plain_port = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
base = f"https://localhost:{port}"
lock = threading.RLock()
clients = {"client": "hush", "public": None}
codes = {}
devices = {}
# Refresh tokens: whose family, and whether it was used; a family is all that came of one login.
refreshes = {}
accesses = {}
revoked = set()
dropped = set()
statements = set()


def switches():
    try:
        with open(f"{folder}/switches") as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


def unpadded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(octets):
    return base64.urlsafe_b64encode(octets).decode().rstrip("=")


def number(octets):
    octets = octets.lstrip(b"\0") or b"\0"
    octets = (b"\0" if octets[0] > 127 else b"") + octets
    return bytes([2, len(octets)]) + octets


def der(signature):
    """The signature of ES256, which is two numbers, as openssl(1) wants it."""
    body = number(signature[:32]) + number(signature[32:])
    return bytes([0x30, len(body)]) + body


def is_signed(key, algorithm, content, signature):
    if algorithm == "ES256":
        if len(signature) != 64:
            return False
        signature = der(signature)
    with tempfile.NamedTemporaryFile() as file:
        file.write(signature)
        file.flush()
        words = ["openssl", "dgst", "-sha256", "-verify", key, "-signature", file.name]
        return subprocess.run(words, input=content, capture_output=True).returncode == 0


PAGE = b"""<!DOCTYPE html><title>Consent</title><h1>May Magnum read your mail?</h1>
<form method=post><button>Allow</button></form>
<script>addEventListener("load", () => document.querySelector("button").click())</script>
"""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    is_plain = False
    is_machine = False

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.handle_request({})

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        self.handle_request(body)

    def handle_request(self, body):
        self.switches = switches()
        address = urllib.parse.urlsplit(self.path)
        self.query = dict(urllib.parse.parse_qsl(address.query))
        self.form = {}
        self.body = body
        if body and "json" not in (self.headers.get("Content-Type") or ""):
            self.form = dict(urllib.parse.parse_qsl(body.decode()))
        name = address.path.strip("/").replace(".well-known/", "").replace("-", "_")
        method = getattr(self, "on_" + name, None)
        if method is None or (self.is_plain and name != "introspect"):
            return self.answer(404, b"<html>not found", "text/html")
        method()

    def note(self, status, error=""):
        grant = self.form.get("grant_type", "").split(":")[-1]
        path = urllib.parse.urlsplit(self.path).path
        words = [self.command, path] + ([grant] if grant else []) + [str(status)]
        with lock, open(f"{folder}/log", "a") as file:
            file.write(" ".join(words + ([error] if error else [])) + "\n")

    def answer(self, status, body, kind="application/json", error="", **headers):
        self.note(status, error)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def json(self, value, status=200, **headers):
        self.answer(status, json.dumps(value).encode(), error=value.get("error", ""), **headers)

    # Metadata and registration

    def on_oauth_authorization_server(self):
        fault = self.switches.get("metadata")
        if fault == "html" or fault == "html-oauth" and "openid" not in self.path:
            return self.answer(200, b"<html>", "text/html")
        if fault and fault != "html-oauth":
            return self.json({}, fault)
        metadata = {
            "issuer": self.switches.get("issuer", base),
            "authorization_endpoint": base + "/authorize",
            "token_endpoint": base + "/token",
            "device_authorization_endpoint": base + "/device",
            "revocation_endpoint": base + "/revoke",
        }
        if self.switches.get("registration", True):
            metadata["registration_endpoint"] = base + "/register"
        if self.switches.get("announce"):
            metadata["authorization_response_iss_parameter_supported"] = True
        self.json(metadata)

    def on_openid_configuration(self):
        self.on_oauth_authorization_server()

    def on_register(self):
        request = json.loads(self.body)
        if request.get("token_endpoint_auth_method") != "none" or not request.get("redirect_uris"):
            return self.json({"error": "invalid_client_metadata"}, 400)
        name = "registered-" + secrets.token_hex(4)
        clients[name] = None
        self.json({"client_id": name, **request}, 201)

    # Logins

    def on_authorize(self):
        query, fault = self.query, self.switches.get("authorize")
        redirect = query.get("redirect_uri", "")
        host = urllib.parse.urlsplit(redirect).hostname
        if (
            query.get("client_id") not in clients
            or host not in ("127.0.0.1", "localhost")
            or query.get("code_challenge_method") != "S256"
            or query.get("response_type") != "code"
            or len(query.get("state", "")) < 22
        ):
            return self.answer(400, b"<html>bad request", "text/html")
        if fault == "page" and self.command == "GET":
            return self.answer(200, PAGE, "text/html; charset=utf-8")
        code = secrets.token_urlsafe(16)
        codes[code] = {**query, "used": "before" if fault == "used" else None}
        answer = {"code": code, "state": query["state"], "iss": base}
        if fault == "deny":
            answer = {"error": "access_denied", "error_description": "no", **answer}
            del answer["code"]
        if fault == "state":
            answer["state"] = "x" * 43
        if fault == "iss":
            answer["iss"] = "https://evil.example"
        if fault == "no-iss":
            del answer["iss"]
        if fault == "path":
            redirect += "other"
        self.answer(302, b"", Location=redirect + "?" + urllib.parse.urlencode(answer))

    def on_device(self):
        if self.switches.get("device"):
            return self.json({}, self.switches["device"])
        if self.form.get("client_id") not in clients:
            return self.json({"error": "invalid_client"}, 401)
        code = secrets.token_urlsafe(16)
        devices[code] = {**self.form, "pending": self.switches.get("pending", 0)}
        self.json(
            {
                "device_code": code,
                "user_code": "WDJB-MJHT",
                "verification_uri": base + "/activate",
                "verification_uri_complete": base + "/activate?code=WDJB-MJHT",
                "expires_in": 60,
                "interval": 1,
            }
        )

    # Tokens

    def on_token(self):
        fault = self.switches.get("token")
        if isinstance(fault, int):
            return self.json({"error": "invalid_grant"}, fault, Retry_After="7")
        if fault == "html":
            return self.answer(200, b"<html>", "text/html")
        if fault == "missing":
            return self.answer(404, b"<html>", "text/html")
        if fault == "huge":
            return self.answer(200, b" " * (1 << 20))
        if fault == "redirect":
            return self.answer(307, b"", Location=base + "/elsewhere")
        with lock:
            status, value = self.tokens()
        if fault == "drop" or fault == "drop-once" and not dropped:
            dropped.add(1)
            self.note("dropped")
            self.close_connection = True
            return self.connection.shutdown(2)
        if isinstance(fault, str) and fault.startswith("slow-"):
            self.note("taken")
            time.sleep(float(fault[5:]))
        self.json(value, status)

    # Clients without a person

    def statement(self, text, client=None):
        """What a statement of a client says (RFC 7523 section 3), or why it does not count."""
        try:
            header, claims, signature = text.split(".")
            content = f"{header}.{claims}".encode()
            header, claims = json.loads(unpadded(header)), json.loads(unpadded(claims))
            signature = unpadded(signature)
        except ValueError:
            return None, "no statement"
        client = client or claims.get("iss")
        key = f"{folder}/keys/{client}.pub"
        now = time.time() + self.switches.get("clock", 0)
        if not os.path.exists(key):
            return None, "unknown client"
        if not is_signed(key, header.get("alg"), content, signature):
            return None, "wrong signature"
        if claims.get("iss") != client or not claims.get("sub"):
            return None, "wrong issuer or subject"
        if claims.get("aud") != self.switches.get("audience", base + "/token"):
            return None, "wrong audience"
        if claims["exp"] - claims["iat"] > 300 or claims["exp"] > now + 300:
            return None, "valid for too long"
        if claims["exp"] <= now:
            return None, "expired"
        if claims["iat"] > now or claims["nbf"] > now:
            return None, "not valid yet"
        if header.get("kid") != self.switches.get("kid"):
            return None, "wrong key id"
        certificate = f"{folder}/keys/{client}.crt"
        if os.path.exists(certificate):
            octets = ssl.PEM_cert_to_DER_cert(open(certificate).read())
            prints = (encoded(hashlib.sha1(octets).digest()), encoded(hashlib.sha256(octets).digest()))
            if (header.get("x5t"), header.get("x5t#S256")) != prints:
                return None, "wrong thumbprint"
        if len(claims["jti"]) < 16 or claims["jti"] in statements:
            return None, "used twice"
        statements.add(claims["jti"])
        return claims, None

    def tokens_for_client(self, client):
        form = self.form
        if "client_assertion" in form:
            kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
            claims, problem = self.statement(form["client_assertion"], client)
            if problem is None and (claims["sub"] != client or form.get("client_assertion_type") != kind):
                problem = "wrong subject or type"
            if problem:
                return 401, {"error": "invalid_client", "error_description": problem + " in " + form["client_assertion"]}
        elif clients.get(client) is None or clients[client] != form.get("client_secret"):
            return 401, {"error": "invalid_client", "error_description": "unknown client"}
        if not form.get("scope"):
            return 400, {"error": "invalid_scope"}
        return self.issue(secrets.token_hex(8), None, form["scope"], client)

    def tokens_for_statement(self):
        claims, problem = self.statement(self.form.get("assertion", ""))
        if problem:
            return 400, {"error": "invalid_grant", "error_description": problem}
        if not claims.get("scope"):
            return 400, {"error": "invalid_scope"}
        return self.issue(secrets.token_hex(8), claims["sub"], claims["scope"], claims["iss"])

    def tokens(self):
        form = self.form
        client = form.get("client_id")
        kind = form.get("grant_type")
        without = {
            "client_credentials": lambda: self.tokens_for_client(client),
            "urn:ietf:params:oauth:grant-type:jwt-bearer": self.tokens_for_statement,
        }
        if kind in without:
            if self.switches.get("refuse"):
                return 400, {"error": self.switches["refuse"]}
            self.is_machine = True
            return without[kind]()
        if client not in clients or clients[client] != form.get("client_secret"):
            return 401, {"error": "invalid_client", "error_description": "unknown client"}
        if kind == "authorization_code":
            return self.tokens_for_code(client)
        if kind == "refresh_token":
            return self.tokens_for_refresh(client)
        if kind == "urn:ietf:params:oauth:grant-type:device_code":
            return self.tokens_for_device(client)
        return 400, {"error": "unsupported_grant_type"}

    def tokens_for_code(self, client):
        code = codes.get(self.form.get("code"))
        if code is None or code["client_id"] != client:
            return 400, {"error": "invalid_grant", "error_description": "unknown code"}
        if code["used"] is not None:
            revoked.add(code["used"])
            return 400, {"error": "invalid_grant", "error_description": "code used twice"}
        digest = hashlib.sha256(self.form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if challenge != code["code_challenge"] or self.form.get("redirect_uri") != code["redirect_uri"]:
            return 400, {"error": "invalid_grant", "error_description": "wrong verifier or redirect"}
        code["used"] = secrets.token_hex(8)
        self.has_consent = code.get("prompt") == "consent"
        return self.issue(code["used"], code.get("login_hint"), code.get("scope"), client)

    def tokens_for_device(self, client):
        device = devices.get(self.form.get("device_code"))
        if device is None or device["client_id"] != client:
            return 400, {"error": "expired_token"}
        if device["pending"] > 0:
            device["pending"] -= 1
            return 400, {"error": "authorization_pending"}
        del devices[self.form["device_code"]]
        return self.issue(secrets.token_hex(8), None, device.get("scope"), client)

    def tokens_for_refresh(self, client):
        token = refreshes.get(self.form.get("refresh_token"))
        if token is None or token["client"] != client or token["family"] in revoked:
            return 400, {"error": "invalid_grant", "error_description": "Token has been expired or revoked."}
        if token["used"]:
            revoked.add(token["family"])
            return 400, {"error": "invalid_grant", "error_description": "refresh token used twice"}
        if self.switches.get("rotation", True):
            token["used"] = True
        return self.issue(token["family"], token["user"], token["scope"], client)

    def issue(self, family, user, scope, client):
        user = self.switches.get("user", user)
        expires = self.switches.get("expires", 3600)
        scope = self.switches.get("scope", scope)
        access = f"access-{plain_port}-" + secrets.token_urlsafe(24)
        accesses[access] = {"family": family, "user": user, "end": time.time() + expires}
        answer = {"access_token": access, "token_type": "Bearer", "expires_in": expires}
        if scope:
            answer["scope"] = scope
        wants_refresh = self.switches.get("refresh", not self.is_machine)
        if wants_refresh == "consent":
            wants_refresh = getattr(self, "has_consent", True)
        if wants_refresh and (
            self.form.get("grant_type") != "refresh_token" or self.switches.get("rotation", True)
        ):
            refresh = "refresh-" + secrets.token_urlsafe(24)
            refreshes[refresh] = {
                "family": family, "user": user, "scope": scope, "client": client, "used": False,
            }
            answer["refresh_token"] = refresh
        answer.update(self.switches.get("answer", {}))
        return 200, {name: value for name, value in answer.items() if value is not None}

    # Tokens that are there

    def on_introspect(self):
        token = self.form.get("token") or self.query.get("token", "")
        # One Dovecot is enough for all tests: each token says whose it is.
        issuer = (token.split("-") + [""])[1]
        if issuer.isdigit() and int(issuer) != plain_port:
            form = urllib.parse.urlencode({"token": token}).encode()
            with urllib.request.urlopen(f"http://127.0.0.1:{issuer}/introspect", form) as answer:
                return self.answer(200, answer.read())
        with lock:
            access = accesses.get(token)
        if access is None or access["family"] in revoked or access["end"] < time.time():
            return self.json({"active": False})
        self.json({"active": True, "username": access["user"], "exp": int(access["end"])})

    def on_revoke(self):
        with lock:
            token = refreshes.get(self.form.get("token")) or accesses.get(self.form.get("token"))
            if token:
                revoked.add(token["family"])
        self.answer(200, b"")

    # For tests: forgets the clients that were registered.
    def on_forget(self):
        for name in [name for name in clients if name.startswith("registered-")]:
            del clients[name]
        self.answer(200, b"")

    # For tests: ends all access tokens, as a provider does when a password is changed.
    def on_expire(self):
        with lock:
            accesses.clear()
        self.answer(200, b"")


class PlainHandler(Handler):
    is_plain = True


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 100

    def handle_error(self, *_):
        pass


def serve(server):
    threading.Thread(target=server.serve_forever, daemon=True).start()


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(f"{folder}/cert.pem", f"{folder}/key.pem")
secure = Server(("127.0.0.1", port), Handler)
secure.socket = context.wrap_socket(secure.socket, server_side=True, do_handshake_on_connect=False)
serve(secure)
serve(Server(("127.0.0.1", plain_port), PlainHandler))
open(f"{folder}/ready", "w").close()
sys.stdin.buffer.read()
os._exit(0)
