"""A proxy on loopback: SOCKS 5 and CONNECT at one port, told apart by the first octet. Every name leads to 127.0.0.1.

proxy.py FOLDER PORT LOGIN: the log has a line for each request, `socks NAME PORT` or `connect NAME:PORT`. LOGIN is NAME:PASSWORD,
or empty for none. The file `switches` has one word: `deny`, `silent`, or nothing.
"""
import base64, os, socket, sys, threading

folder, port, login = sys.argv[1], int(sys.argv[2]), sys.argv[3]


def switch():
    try:
        return open(folder + "/switches").read().strip()
    except OSError:
        return ""


def log(text):
    with open(folder + "/log", "a") as file:
        file.write(text + "\n")


def exactly(client, count):
    octets = b""
    while len(octets) < count:
        piece = client.recv(count - len(octets))
        if not piece:
            raise OSError("end")
        octets += piece
    return octets


def copy(source, target):
    try:
        while octets := source.recv(65536):
            target.sendall(octets)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def join(client, place, opened, failed):
    try:
        server = socket.create_connection(("127.0.0.1", place), 10)
        server.settimeout(None)
    except OSError:
        return client.sendall(failed)
    # The reply and what the server says first come as one.
    server.settimeout(0.2)
    try:
        first = server.recv(65536)
    except OSError:
        first = b""
    server.settimeout(None)
    client.sendall(opened + first)
    threading.Thread(target=copy, args=(server, client), daemon=True).start()
    copy(client, server)


def socks(client):
    methods = exactly(client, exactly(client, 1)[0])
    wanted = 2 if login else 0
    if wanted not in methods:
        return client.sendall(b"\x05\xff")
    client.sendall(bytes([5, wanted]))
    if login:
        user = exactly(client, exactly(client, 2)[1]).decode()
        word = exactly(client, exactly(client, 1)[0]).decode()
        good = f"{user}:{word}" == login
        client.sendall(bytes([1, 0 if good else 1]))
        if not good:
            return
    kind = exactly(client, 4)[3]
    if kind == 3:
        name = exactly(client, exactly(client, 1)[0]).decode()
    else:
        name = socket.inet_ntop(socket.AF_INET if kind == 1 else socket.AF_INET6, exactly(client, 4 if kind == 1 else 16))
    place = int.from_bytes(exactly(client, 2), "big")
    log(f"socks {name} {place}")
    if switch() == "deny":
        return client.sendall(b"\x05\x02\x00\x01" + bytes(6))
    join(client, place, b"\x05\x00\x00\x03\x05proxy\x00\x01", b"\x05\x05\x00\x01" + bytes(6))


def connect(client):
    head = b"C"
    while b"\r\n\r\n" not in head:
        piece = client.recv(1)
        if not piece:
            return
        head += piece
    lines = head.decode().split("\r\n")
    name = lines[0].split(" ")[1]
    fields = dict(line.split(": ", 1) for line in lines[1:] if ": " in line)
    log(f"connect {name}")
    if login and fields.get("Proxy-Authorization") != "Basic " + base64.b64encode(login.encode()).decode():
        return client.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
    if switch() == "deny":
        return client.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
    place = int(name.rsplit(":", 1)[1])
    join(client, place, b"HTTP/1.1 200 Connection established\r\n\r\n", b"HTTP/1.1 502 Bad Gateway\r\n\r\n")


def serve(client):
    try:
        if switch() == "silent":
            client.recv(1)
            threading.Event().wait(60)
        first = client.recv(1)
        if first == b"\x05":
            socks(client)
        elif first:
            connect(client)
    except OSError:
        pass
    finally:
        client.close()


listener = socket.create_server(("127.0.0.1", port))
open(folder + "/ready", "w").close()


def accept():
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()


threading.Thread(target=accept, daemon=True).start()
sys.stdin.read()
os._exit(0)
