"""Names and web servers of a small Internet, for tests: internet.py FOLDER PROXY-PORT DNS-ADDRESS.

In FOLDER are cert.pem and key.pem, and the file `content`, which is read with each request, a JSON object:

  pages     by their addresses, "https://HOST/PATH": "status", 200 where it is missing; "body"; "location"; "repeat", how
            many times the body comes, without a length before it; "silent", true where nothing is answered
  records   by name and type, "x.test MX": the data of records as master files have them; SERVFAIL for a failure

All other pages are 404, all other names do not exist. The web is behind a proxy on 127.0.0.1 that takes any host to itself; DNS
is on port 53 of the address. Each request is a line in FOLDER/log. It ends when its standard input does.
"""

import json
import socket
import socketserver
import ssl
import struct
import sys
import threading
import time

folder, port, address = sys.argv[1], int(sys.argv[2]), sys.argv[3]
context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain(f"{folder}/cert.pem", f"{folder}/key.pem")
lock = threading.Lock()
types = {15: "MX", 16: "TXT", 33: "SRV", 1: "A", 28: "AAAA"}


def content():
    with open(f"{folder}/content") as file:
        return json.load(file)


def note(line):
    with lock, open(f"{folder}/log", "a") as file:
        file.write(line + "\n")


class Proxy(socketserver.StreamRequestHandler):
    def handle(self):
        words = self.rfile.readline().split()
        while self.rfile.readline().strip():
            pass
        if not words:
            return
        if len(words) < 2 or words[0] != b"CONNECT":
            note("clear text " + b" ".join(words).decode())
            return self.wfile.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
        host = words[1].decode().removesuffix(":443")
        try:
            with context.wrap_socket(self.connection, server_side=True) as line:
                self.serve(line, host)
        except OSError:
            pass

    def serve(self, line, host):
        octets = b""
        while b"\r\n\r\n" not in octets:
            more = line.recv(65536)
            if not more:
                return
            octets += more
        place = f"https://{host}" + octets.split()[1].decode()
        note("GET " + place)
        page = content().get("pages", {}).get(place, {"status": 404, "body": "not found"})
        if page.get("silent"):
            time.sleep(30)
        head = f"HTTP/1.1 {page.get('status', 200)} x\r\nConnection: close\r\n"
        if "location" in page:
            head += f"Location: {page['location']}\r\n"
        line.sendall(head.encode() + b"\r\n")
        for _ in range(page.get("repeat", 1)):
            line.sendall(page.get("body", "").encode())


def name(text):
    labels = [label.encode() for label in text.rstrip(".").split(".") if label]
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def data(kind, text):
    if kind == "TXT":
        # Strings are short, so that a long text is several.
        octets = text.encode()
        parts = [octets[start : start + 20] for start in range(0, len(octets), 20)]
        return b"".join(bytes([len(part)]) + part for part in parts)
    *numbers, host = text.split()
    return b"".join(struct.pack(">H", int(number)) for number in numbers) + name(host)


def reply(question):
    labels, place = [], 12
    while question[place]:
        labels.append(question[place + 1 : place + 1 + question[place]].decode())
        place += 1 + question[place]
    kind = types.get(struct.unpack(">H", question[place + 1 : place + 3])[0], "?")
    note(f"{kind} {'.'.join(labels)}")
    found = content().get("records", {}).get(f"{'.'.join(labels)} {kind}", [])
    code = 2 if found == "SERVFAIL" else 0 if found else 3
    records = [] if found == "SERVFAIL" else [data(kind, text) for text in found]
    answer = question[:2] + struct.pack(">HHHHH", 0x8180 | code, 1, len(records), 0, 0)
    answer += question[12 : place + 5]
    for octets in records:
        answer += b"\xc0\x0c" + question[place + 1 : place + 5] + struct.pack(">IH", 60, len(octets)) + octets
    return answer


def answer_questions(line):
    while True:
        question, whom = line.recvfrom(4096)
        line.sendto(reply(question), whom)


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 64


names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
names.bind((address, 53))
threading.Thread(target=answer_questions, args=(names,), daemon=True).start()
server = Server(("127.0.0.1", port), Proxy)
threading.Thread(target=server.serve_forever, daemon=True).start()
with open(f"{folder}/ready", "w"):
    pass
sys.stdin.read()
