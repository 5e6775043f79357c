"""What the messages of the judge look like: the token and its revision stand in the subject and in the body."""
import re

PARTS = ("parts", "nomidparts")  # with an attachment of 170,000 octets
SUBJECT = re.compile(rb"^Subject: (t\d+) r(\d+)", re.MULTILINE)


def octets(token, revision, kind):
    """A message as it is on the wire. Kinds: plain, nomid (no Message-ID), mid=tN (that token's), 8bit, long,
    and those of PARTS."""
    number = int(token[1:])
    lines = ["From: Judge <judge@example.org>", f"Date: Mon, 06 Jan 2025 12:{number % 60:02}:00 +0000",
             f"Subject: {token} r{revision}"]
    if kind.startswith("mid="):
        lines.append(f"Message-ID: <{kind[4:]}@judge.example.org>")
    elif not kind.startswith("nomid"):
        lines.append(f"Message-ID: <{token}@judge.example.org>")
    if kind in PARTS:
        lines += attached(token, revision)
        return "\r\n".join(lines + [""]).encode()
    lines += ["", f"{token:>5} r{revision}"]
    if kind == "8bit":
        lines += ["Grüße, Jürgen", ".", "..", "From here"]
    if kind == "long":
        lines += [f"line {index} of {token} " + "x" * 60 for index in range(400)]
    if revision > 1 and number % 2:
        lines += ["a longer text"] * revision
    return "\r\n".join(lines + [""]).encode()


def attached(token, revision):
    """The rest of the header, a text and an attachment that tells the token."""
    line = (token.rjust(8, "A") + str(revision).rjust(8, "0")) * 4
    return ["MIME-Version: 1.0", 'Content-Type: multipart/mixed; boundary="=_b"', "", "--=_b",
            "Content-Type: text/plain; charset=utf-8", "", f"{token:>5} r{revision}",
            "--=_b", f'Content-Type: application/octet-stream; name="{token}.bin"',
            f'Content-Disposition: attachment; filename="{token}.bin"',
            "Content-Transfer-Encoding: base64", ""] + [line] * 2500 + ["--=_b--"]


def stored(wire):
    """The octets of a file."""
    return wire.replace(b"\r\n", b"\n")


def identify(data):
    """Token and revision of a message, both forms; nothing for what the judge did not make."""
    found = SUBJECT.search(data[:2000])
    return (found[1].decode(), int(found[2])) if found else (None, 0)
