"""Mail, a throw-away Dovecot with it, and a slow way there: what the benchmarks of syncs have in common."""
import asyncio
import os
import random
import socket
import subprocess
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


# Mail ---------------------------------------------------------------------------------------------------------------

WORDS = ("agenda invoice release patch compiler deadline review contract kernel meeting lunch the a of and to in is that "
         "with from this have not are was for you we can will all Grüße naïve café привет 東京").split()
BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def text(rng, size):
    lines = []
    while size > 0:
        line = " ".join(rng.choices(WORDS, k=11))
        lines.append(line)
        size -= len(line.encode()) + 2
    return "\r\n".join(lines) + "\r\n"


def attachment(rng, size):
    line = "".join(rng.choices(BASE64, k=76)) + "\r\n"
    lines = []
    for _ in range(size // 78):
        cut = rng.randrange(76)
        line = line[cut:76] + line[:cut] + "\r\n"
        lines.append(line)
    return "".join(lines)


def message(rng, number, size):
    """One mail of about `size` octets with CR LF; the larger ones carry an attachment."""
    head = (f"Return-Path: <s{rng.randrange(400)}@example.org>\r\n"
            f"Received: from mx.example.org (mx.example.org [192.0.2.{rng.randrange(255)}])\r\n"
            f"\tby mail.example.net with ESMTPS id {rng.getrandbits(40):X}; Mon, 06 Jan 2025 12:00:00 +0000\r\n"
            f"Date: Mon, 06 Jan 2025 12:00:00 +0000\r\nFrom: Sender <s{rng.randrange(400)}@example.org>\r\n"
            f"To: user@example.net\r\nMessage-ID: <{rng.getrandbits(64):x}.{number}@example.org>\r\n"
            f"Subject: {' '.join(rng.choices(WORDS[:14], k=5))}\r\nMIME-Version: 1.0\r\n")
    if size < 12_000:
        return (head + "Content-Type: text/plain; charset=utf-8\r\n\r\n" + text(rng, size - len(head))).encode()
    return (head + 'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n\r\n' + text(rng, 1500)
            + "--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n"
            + attachment(rng, size - 2500) + "--b--\r\n").encode()


def fill(folder, count, seed, mean):
    """Writes mails straight into a Maildir of the server."""
    for name in ("cur", "new", "tmp"):
        os.makedirs(f"{folder}/{name}", exist_ok=True)
    rng = random.Random(seed)
    total = 0
    for number in range(count):
        size = min(int(rng.lognormvariate(0, 1.3) * mean / 2.33) + 700, 900_000)
        data = message(rng, number, size)
        total += len(data)
        flags = rng.choice(("S", "S", "S", "RS", "FS", ""))
        date = 1_650_000_000 + number * 3000
        path = f"{folder}/cur/{date}.M{number}P{seed}.bench,S={len(data)},W={len(data)}:2,{flags}"
        with open(path, "wb") as file:
            file.write(data)
        os.utime(path, (date, date))
    return total


# Server and link ----------------------------------------------------------------------------------------------------

class Server:
    def __init__(self, folder):
        self.folder = folder
        subprocess.run([f"{ROOT}/Tests/dovecot", "start", folder], check=True)
        with open(f"{folder}/ports") as file:
            self.clear, self.tls = map(int, file.read().split())
        self.trust = f"{folder}/ca.pem"

    def stop(self):
        subprocess.run([f"{ROOT}/Tests/dovecot", "stop", self.folder], check=False)

    def own(self, user):
        if os.getuid() == 0:
            subprocess.run(["chown", "-R", "65534:65534", f"{self.folder}/mail/{user}"], check=True)

    def warm(self, user, mailboxes):
        """Lets the server build its own index, so that no program pays for it."""
        self.tell(user, mailboxes, "UID FETCH 1:* (FLAGS INTERNALDATE RFC822.SIZE BODY.PEEK[HEADER])")

    def tell(self, user, mailboxes, *lines):
        with socket.create_connection(("127.0.0.1", self.clear)) as link:
            stream = link.makefile("rwb")
            stream.readline()

            def command(line):
                stream.write(f"x {line}\r\n".encode())
                stream.flush()
                while not (answer := stream.readline()).startswith(b"x "):
                    if not answer:
                        raise SystemExit("the server closed the connection")
                if not answer.startswith(b"x OK"):
                    raise SystemExit(f"{line}: {answer!r}")

            command(f"LOGIN {user} pass")
            for name in mailboxes:
                command(f'SELECT "{name}"')
                for line in lines:
                    command(line)
            command("LOGOUT")

    def append(self, user, mails, mailbox="INBOX"):
        with socket.create_connection(("127.0.0.1", self.clear)) as link:
            stream = link.makefile("rwb")
            stream.readline()
            parts = [f"x LOGIN {user} pass\r\n".encode()]
            for mail in mails:
                parts += [f"x APPEND {mailbox} {{{len(mail)}+}}\r\n".encode(), mail, b"\r\n"]
            stream.write(b"".join(parts) + b"y LOGOUT\r\n")
            stream.flush()
            if (fine := sum(line.startswith(b"x OK") for line in stream)) != len(mails) + 1:
                raise SystemExit(f"the server took {fine - 1} of {len(mails)} mails")


def fill_mailboxes(server, user, count):
    """Mailboxes of 100 mails each, of which the server has its own index."""
    folder = f"{server.folder}/mail/{user}"
    fill(folder, 0, 0, 1)
    names = [f"box{number:03}" for number in range(count)]
    for number, name in enumerate(names):
        fill(f"{folder}/.{name}", 100, number + 2, 1_000)
    server.own(user)
    server.warm(user, names)


class SlowLink:
    """A TCP proxy that hands octets on half a round trip after they came; connecting costs its round trips too."""

    def __init__(self, target, round_trip):
        self.target, self.delay = target, round_trip / 2
        ready = threading.Event()
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self._run, args=(ready,), daemon=True).start()
        ready.wait()

    def _run(self, ready):
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        self.loop.run_forever()

    async def _serve(self, reader, writer):
        far = asyncio.ensure_future(self._connect())
        await asyncio.gather(self._carry(reader, self._writer(far)), self._answer(far, writer), return_exceptions=True)

    async def _connect(self):
        # The server has the connection when the third segment of the handshake came.
        await asyncio.sleep(3 * self.delay)
        return await asyncio.open_connection("127.0.0.1", self.target)

    async def _writer(self, far):
        return (await far)[1]

    async def _answer(self, far, writer):
        async def known():
            return writer

        await self._carry((await far)[0], known())

    async def _carry(self, reader, target):
        """What comes while the connection is made is under way already."""
        queue = asyncio.Queue()

        async def hand_on():
            writer = await target
            while True:
                due, data = await queue.get()
                await asyncio.sleep(max(0, due - time.monotonic()))
                if not data:
                    break
                writer.write(data)
            writer.close()

        task = asyncio.ensure_future(hand_on())
        while data := await reader.read(1 << 17):
            queue.put_nowait((time.monotonic() + self.delay, data))
        queue.put_nowait((time.monotonic() + self.delay, b""))
        await task
