"""An IMAP and an SMTP server over TLS that take log-ins with SCRAM only, as scramp judges them.

Arguments: folder, port of IMAP, port of SMTP, where scramp is, mechanisms, types of channel binding, newest TLS, "changed",
"elsewhere", user, password. Ends with its standard input. The log has a line for each log-in.
"""

import base64
import ctypes
import hashlib
import socketserver
import ssl
import sys
import threading

folder, imap_port, smtp_port, library = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
offered, types, version, changed, elsewhere, user, password = sys.argv[5:12]
sys.path.insert(0, library)
from scramp import ScramException, ScramMechanism  # noqa: E402
from scramp.core import CbName  # noqa: E402

# Python's ssl has no exporter, and so scramp none; what it does with the data is the same.
CbName.SUPPORTED_TYPES = CbName.SUPPORTED_TYPES | {"tls-exporter"}
CbName.UNSUPPORTED_TYPES = frozenset()

context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(f"{folder}/cert.pem", f"{folder}/key.pem")
context.maximum_version = ssl.TLSVersion.TLSv1_2 if version == "1.2" else ssl.TLSVersion.TLSv1_3
der = ssl.PEM_cert_to_DER_cert(open(f"{folder}/cert.pem").read())
lock = threading.Lock()


def exported(connection):
    """The exporter of RFC 9266; Python's own ssl cannot give it, so OpenSSL is asked for the SSL inside."""
    libssl = ctypes.CDLL("libssl.so.3")
    address = ctypes.c_void_p.from_address(id(connection._sslobj) + 24).value
    out = ctypes.create_string_buffer(32)
    label = b"EXPORTER-Channel-Binding"
    code = libssl.SSL_export_keying_material(
        ctypes.c_void_p(address), out, ctypes.c_size_t(32), label, ctypes.c_size_t(len(label)), b"", ctypes.c_size_t(0), 1
    )
    assert code == 1
    return out.raw


def binding(connection, kind):
    data = exported(connection) if kind == "tls-exporter" else hashlib.sha256(der).digest()
    return kind, bytes(32) if elsewhere else data


class Login:
    """One exchange; send and receive are those of the protocol."""

    def __init__(self, name, connection, mechanism, protocol):
        self.protocol, self.mechanism, self.connection = protocol, mechanism, connection
        self.hash = ScramMechanism(mechanism.removesuffix("-PLUS"))
        self.info = self.hash.make_auth_info(password, iteration_count=5000)

    def auth(self, name):
        if name != user:
            raise KeyError(name)
        return self.info

    def note(self, flag, outcome):
        with lock, open(f"{folder}/log", "a") as log:
            print(self.protocol, self.mechanism, flag, outcome, file=log)

    def run(self, first, send, receive):
        """Whether the user is logged in."""
        text = base64.b64decode(first).decode()
        flag = text.split(",")[0]
        is_plus = self.mechanism.endswith("-PLUS")
        kind = flag.removeprefix("p=") if flag.startswith("p=") else types.split()[0]
        if is_plus and kind not in types.split():
            self.note(flag, "unsupported")
            return False
        known = is_plus or changed
        cb = binding(self.connection, kind) if known else None
        server = ScramMechanism(self.mechanism).make_server(self.auth, channel_binding=cb)
        try:
            server.set_client_first(text)
            send(base64.b64encode(server.get_server_first().encode()))
            server.set_client_final(base64.b64decode(receive()).decode())
            send(base64.b64encode(server.get_server_final().encode()))
            receive()
            self.note(flag, "ok")
            return True
        except (ScramException, KeyError) as error:
            said = getattr(error, "server_error", None)
            said = said.value if said else "invalid-proof"
            self.note(flag, said)
            send(base64.b64encode(f"e={said}".encode()))
            receive()
            return False


class Conversation(socketserver.StreamRequestHandler):
    def setup(self):
        self.request = context.wrap_socket(self.request, server_side=True)
        super().setup()

    def say(self, line):
        self.wfile.write(line + b"\r\n")
        self.wfile.flush()

    def line(self):
        return self.rfile.readline().rstrip(b"\r\n")


class IMAP(Conversation):
    def handle(self):
        mechanisms = " ".join(f"AUTH={name}" for name in offered.split())
        capability = f"IMAP4rev1 SASL-IR LOGINDISABLED {mechanisms}".encode()
        self.say(b"* OK [CAPABILITY " + capability + b"] ready")
        while words := self.line().split():
            tag, verb = words[0], words[1].upper()
            if verb == b"CAPABILITY":
                self.say(b"* CAPABILITY " + capability)
            elif verb == b"LOGOUT":
                self.say(b"* BYE")
            elif verb == b"LIST":
                self.say(b'* LIST () "/" INBOX')
            elif verb == b"AUTHENTICATE":
                login = Login("me", self.request, words[2].decode(), "imap")
                if not login.run(words[3], lambda data: self.say(b"+ " + data), self.line):
                    self.say(tag + b" NO [AUTHENTICATIONFAILED] refused")
                    continue
            self.say(tag + b" OK done")


class SMTP(Conversation):
    def handle(self):
        self.say(b"220 ready")
        while words := self.line().split():
            verb = words[0].upper()
            if verb == b"EHLO":
                self.say(b"250-here")
                self.say(b"250 AUTH " + offered.encode())
            elif verb == b"AUTH":
                login = Login("me", self.request, words[1].decode(), "smtp")
                taken = login.run(words[2], lambda data: self.say(b"334 " + data), self.line)
                self.say(b"235 2.7.0 welcome" if taken else b"535 5.7.8 refused")
            elif verb == b"QUIT":
                self.say(b"221 bye")
            else:
                self.say(b"250 ok")


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


for port, kind in ((imap_port, IMAP), (smtp_port, SMTP)):
    server = Server(("127.0.0.1", port), kind)
    threading.Thread(target=server.serve_forever, daemon=True).start()
open(f"{folder}/ready", "w").close()
sys.stdin.buffer.read()
