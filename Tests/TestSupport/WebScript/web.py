"""A web server for tests that does what the path says, https on loopback, or on another address.

web.py FOLDER PORT [ADDRESS]. In FOLDER are cert.pem and key.pem. It ends when its standard input does. Each request is a line in
FOLDER/log: "METHOD PATH BODY", and a line "HEADER: VALUE" for each of its headers. What paths do:

  /status/NNN    answers with that status, and with a redirect to /status/200 for 3xx; sets a cookie
  /silent        takes the request, and never answers
  /endless       answers 200 with a body that has no end
  /large         answers 200 with a body of 1 GiB, as its header says
  /slow          answers 200, with less of a body than its header says
  /header        answers 200 behind interim answers that have no end
  /cut           closes the connection without an answer
"""

import http.server
import os
import ssl
import sys
import threading

folder, port = sys.argv[1], int(sys.argv[2])
lock = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length).decode()
        with lock, open(f"{folder}/log", "a") as log:
            log.write(f"{self.command} {self.path} {body}\n")
            for name, value in self.headers.items():
                log.write(f"{name.lower()}: {value}\n")
        self.close_connection = True
        word = self.path.split("?")[0].split("/")
        if word[1] == "status":
            self.send_response(int(word[2]))
            self.send_header("Set-Cookie", "a=b")
            if word[2].startswith("3"):
                self.send_header("Location", f"https://{self.headers['Host']}/status/200")
            self.send_header("Content-Length", "2")
            self.end_headers()
            if self.command != "HEAD" and word[2] not in ("204", "304"):
                self.wfile.write(b"ok")
        elif word[1] == "silent":
            threading.Event().wait()
        elif word[1] == "slow":
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"a")
        elif word[1] == "header":
            try:
                for _ in range(1 << 14):
                    self.wfile.write(b"HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n" * 100)
            except OSError:
                pass
        elif word[1] in ("endless", "large"):
            self.send_response(200)
            if word[1] == "large":
                self.send_header("Content-Length", str(1 << 30))
            self.end_headers()
            try:
                for _ in range(1 << 14):
                    self.wfile.write(b"a" * (1 << 16))
            except OSError:
                with lock, open(f"{folder}/log", "a") as log:
                    log.write("gone\n")

    do_POST = do_PUT = do_HEAD = do_GET


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(f"{folder}/cert.pem", f"{folder}/key.pem")
server = http.server.ThreadingHTTPServer(((sys.argv + ["127.0.0.1"])[3], port), Handler)
server.daemon_threads = True
server.socket = context.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
open(f"{folder}/ready", "w").close()
sys.stdin.read()
os._exit(0)
