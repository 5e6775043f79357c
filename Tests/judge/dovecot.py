"""A throw-away Dovecot on loopback, without TLS, one for all seeds: every seed has a user of its own.

Each set of capabilities is an address of its own (127.0.0.1, 127.0.0.2, ...) of the same server, so that one process
serves all sets and a second client can always use all it offers. The server ends by its own process id.
"""
import grp
import os
import pwd
import shutil
import socket
import subprocess
import time

ALL = ("IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE MULTIAPPEND UNSELECT CHILDREN NAMESPACE UIDPLUS LIST-EXTENDED "
       "CONDSTORE QRESYNC ESEARCH SEARCHRES WITHIN LIST-STATUS BINARY MOVE STATUS=SIZE SAVEDATE LITERAL+ NOTIFY "
       "SPECIAL-USE").split()
POOR = ("QRESYNC CONDSTORE LIST-STATUS LIST-EXTENDED SPECIAL-USE ENABLE ESEARCH LITERAL+ SASL-IR UIDPLUS UNSELECT MOVE "
        "NAMESPACE CHILDREN IDLE ID BINARY NOTIFY MULTIAPPEND SEARCHRES STATUS=SIZE SAVEDATE WITHIN").split()

# What is taken away in each set.
SETS = {
    "full": [],
    "noqresync": ["QRESYNC"],
    "nocondstore": ["QRESYNC", "CONDSTORE"],
    "nouidplus": ["UIDPLUS"],
    "nomove": ["MOVE"],
    "bare": POOR,
}
NAMES = list(SETS)

CONFIGURATION = """
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap
listen = {addresses}
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_failure_delay = 0
mail_max_userip_connections = 1000
mail_location = maildir:{folder}/mail/%u
mail_uid = {uid}
mail_gid = {gid}
first_valid_uid = 1
first_valid_gid = 1
mail_fsync = never
default_process_limit = 200
default_client_limit = 2000
passdb {{
  driver = static
  args = password=pass
}}
userdb {{
  driver = static
  args = home={folder}/mail/%u
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
service imap-login {{
  chroot =
  service_count = 0
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service imap {{
  process_limit = 200
  service_count = 50
  process_min_avail = 2
}}
namespace inbox {{
  inbox = yes
  separator = /
{mailboxes}
}}
{sets}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Dovecot:
    has_move = True  # for other clients, whatever the program is told
    keeps_identity = True

    def __init__(self, folder):
        self.folder = folder
        for name in ("run", "state", "mail"):
            os.makedirs(f"{folder}/{name}")
        self.port = free_port()
        self.addresses = {name: f"127.0.0.{number + 1}" for number, name in enumerate(SETS)}
        # It ends with the judge, however that ends.
        uid, gid, before = os.getuid(), os.getgid(), ["setpriv", "--pdeathsig=TERM"]
        if uid == 0:
            uid = gid = 65534
            before += ["--reuid=65534", "--regid=65534", "--clear-groups"]
        self.uid, self.gid = uid, gid
        uses = [("Sent", "Sent"), ("Trash", "Trash"), ("Drafts", "Drafts"), ("Junk", "Junk")]
        with open(f"{folder}/dovecot.conf", "w") as file:
            file.write(CONFIGURATION.format(
                folder=folder, addresses=" ".join(self.addresses.values()), uid=uid, gid=gid, port=self.port,
                user=pwd.getpwuid(uid).pw_name, group=grp.getgrgid(gid).gr_name,
                mailboxes="\n".join(f"  mailbox {name} {{\n    special_use = \\{use}\n    auto = create\n  }}"
                                    for name, use in uses),
                sets="\n".join(f"local {self.addresses[name]} {{\n  protocol imap {{\n    imap_capability = "
                               + " ".join(word for word in ALL if word not in hidden) + "\n  }\n}"
                               for name, hidden in SETS.items() if hidden)))
        if os.getuid() == 0:
            os.chmod(folder, 0o755)
            for base, folders, files in os.walk(folder):
                for name in [base] + [f"{base}/{file}" for file in files]:
                    os.chown(name, uid, gid)
        program = shutil.which("dovecot", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
        if not program:
            raise SystemExit("judge: dovecot is not installed; run Tests/need dovecot")
        self.errors = open(f"{folder}/errors", "wb")
        self.process = subprocess.Popen(before + [program, "-F", "-c", f"{folder}/dovecot.conf"],
                                        stdin=subprocess.DEVNULL, stdout=self.errors, stderr=self.errors)
        for _ in range(200):
            try:
                with socket.create_connection(("127.0.0.1", self.port), 1) as link:
                    link.settimeout(5)
                    if link.recv(4).startswith(b"* OK"):
                        return
            except OSError:
                time.sleep(0.05)
        self.stop()
        raise SystemExit("judge: dovecot does not answer; see " + folder)

    def stop(self):
        """Ends the server, by its own process id, and waits for it."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.errors.close()

    def prepare(self, client):
        """It makes its mailboxes by itself."""

    def discard(self, user):
        """Takes away a user's mail."""
        shutil.rmtree(self.mail(user), ignore_errors=True)

    def mail(self, user):
        """Where the server keeps a user's mail."""
        return f"{self.folder}/mail/{user}"

    def wait_closed(self, user, seconds=5):
        """Waits until no process of the server has the user's mail open: one whose client was killed goes on."""
        below = self.mail(user).encode() + b"/"
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not any_open(below):
                return
            time.sleep(0.02)


def any_open(below):
    for process in os.listdir("/proc"):
        if not process.isdigit():
            continue
        try:
            with open(f"/proc/{process}/comm", "rb") as file:
                if file.read().strip() != b"imap":
                    continue
            for descriptor in os.listdir(f"/proc/{process}/fd"):
                if os.readlink(f"/proc/{process}/fd/{descriptor}".encode()).startswith(below):
                    return True
        except OSError:
            continue
    return False
