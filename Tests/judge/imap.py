"""A small IMAP client: what another client of the same user does, and how the judge reads the server."""
import re
import socket

from names import unwire, wire

SYSTEM = {"S": "\\Seen", "F": "\\Flagged", "R": "\\Answered", "D": "\\Draft", "P": "$Forwarded"}
LETTERS = {name.lower(): letter for letter, name in SYSTEM.items()}


class Refused(Exception):
    """The server said NO or BAD, or closed the connection."""


class Message:
    """A message as the server has it: letters are its flags as a Maildir shows them, keywords all others."""

    def __init__(self, uid, flags, octets):
        self.uid, self.octets = uid, octets
        self.letters = "".join(sorted(LETTERS[flag.lower()] for flag in flags if flag.lower() in LETTERS))
        self.deleted = any(flag.lower() == "\\deleted" for flag in flags)
        self.keywords = frozenset(flag for flag in flags
                                  if flag.lower() not in LETTERS and not flag.startswith("\\"))


def quoted(name):
    """The name of a mailbox as it goes over the wire; of modified UTF-7 only the ampersand is known."""
    return '"' + wire(name).replace("&", "&-").replace("\\", "\\\\").replace('"', '\\"') + '"'


class Client:
    def __init__(self, address, port, user):
        self.link = socket.create_connection((address, port), 10)
        self.link.settimeout(30)
        self.stream = self.link.makefile("rb")
        self.count = 0
        self.selected = None
        self.stream.readline()
        self.command(f"LOGIN {user} pass")

    def close(self):
        try:
            self.command("LOGOUT")
        except (Refused, OSError):
            pass
        self.link.close()

    def response(self):
        """One response: its text with the literals taken out, and the literals."""
        text, literals = b"", []
        while True:
            line = self.stream.readline()
            if not line:
                raise Refused("the connection was closed")
            line = line.rstrip(b"\r\n")
            found = re.search(rb"\{(\d+)\}$", line)
            text += line
            if not found:
                return text.decode("utf-8", "replace"), literals
            literals.append(self.stream.read(int(found[1])))

    def command(self, line, literal=None):
        """Sends a command; returns its untagged responses and the text of its completion."""
        self.count += 1
        tag = f"j{self.count}"
        octets = f"{tag} {line}".encode()
        untagged = []
        if literal is not None:
            self.link.sendall(octets + b" {%d}\r\n" % len(literal))
            text, _ = self.response()
            if not text.startswith("+"):
                raise Refused(f"{line}: {text}")
            octets = literal
        self.link.sendall(octets + b"\r\n")
        while True:
            text, literals = self.response()
            if text.startswith(tag + " "):
                if not text.startswith(tag + " OK"):
                    raise Refused(f"{line}: {text}")
                return untagged, text
            untagged.append((text, literals))

    def mailboxes(self):
        names = []
        for text, literals in self.command('LIST "" "*"')[0]:
            if not text.startswith("* LIST ") or "\\noselect" in text.lower() or "\\nonexistent" in text.lower():
                continue
            if literals:
                names.append(literals[0].decode())
                continue
            rest = re.match(r'\* LIST \([^)]*\) (?:"(?:[^"\\]|\\.)*"|NIL) (.*)$', text)[1]
            names.append(re.sub(r"\\(.)", r"\1", rest[1:-1]) if rest.startswith('"') else rest)
        return sorted(unwire(name.replace("&-", "&")) for name in names)

    def select(self, mailbox, read_only=False):
        self.command(("EXAMINE " if read_only else "SELECT ") + quoted(mailbox))
        self.selected = mailbox

    def fetch(self, mailbox, what="BODY.PEEK[]"):
        """The messages of a mailbox by UID."""
        self.select(mailbox, read_only=True)
        found = []
        for text, literals in self.command(f"UID FETCH 1:* (UID FLAGS {what})")[0]:
            uid = re.search(r"UID (\d+)", text)
            flags = re.search(r"FLAGS \(([^)]*)\)", text)
            if " FETCH " in text and uid and literals and flags:
                flags = [flag for flag in flags[1].split() if flag.lower() != "\\recent"]
                found.append(Message(int(uid[1]), flags, literals[-1]))
        return sorted(found, key=lambda message: message.uid)

    def everything(self):
        result = {}
        for name in self.mailboxes():
            try:
                result[name] = self.fetch(name)
            except Refused:
                pass  # it went meanwhile
        return result

    def append(self, mailbox, octets, flags=""):
        self.command(f"APPEND {quoted(mailbox)} ({flags})", octets)
