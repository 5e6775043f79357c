"""Other servers than Dovecot for the judge: throw-away ones on loopback, with one set of capabilities, which is their own.
"""
import os
import subprocess
import time

import imap
import names

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NAMES = ["cyrus", "courier"]

# Steps that reach into the files of Dovecot.
MISSING = {"validity"}


class Other:
    """One of these servers: any user, password "pass"."""

    def __init__(self, name, folder):
        self.addresses = {name: "127.0.0.1"}
        names.below_inbox = name == "courier"
        self.has_move = name != "courier"
        # Courier gives a renamed mailbox another UIDVALIDITY, and has no ids.
        self.keeps_identity = name != "courier"
        self.process = subprocess.Popen([f"{ROOT}/Tests/servers/{name}", folder], stdin=subprocess.PIPE,
                                        stdout=subprocess.DEVNULL)
        for _ in range(600):
            if os.path.exists(f"{folder}/ports"):
                with open(f"{folder}/ports") as file:
                    words = file.read().split()
                if words:
                    self.port = int(words[0])
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        self.stop()
        raise SystemExit(f"judge: {name} does not answer; run Tests/need {name}")

    def stop(self):
        """It ends when its standard input does."""
        self.process.stdin.close()
        self.process.wait(30)

    def prepare(self, client):
        """Makes the mailboxes that Dovecot makes by itself."""
        there = client.mailboxes()
        for name in ("Sent", "Drafts", "Trash", "Junk"):
            if name not in there:
                client.command(f"CREATE {imap.quoted(name)}")

    def discard(self, user):
        """The mail goes with the server."""
