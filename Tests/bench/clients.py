"""The programs that are measured, and what a run of one takes."""
import os
import shlex
import subprocess
import sys
import threading
import time

from server import ROOT


class Magnum:
    name = "magnum-sync"

    def __init__(self, program, indexes=False):
        self.program, self.indexes = program, indexes

    def command(self, home, server, port, user):
        path = f"{home}/config.toml"
        text = (f'[account.bench]\nmaildir = "{home}/mail"\nimap = "imaps://localhost:{port}"\nuser = "{user}"\n'
                f'password = "pass"\ntls-ca-file = "{server.trust}"\nindex = {str(self.indexes).lower()}\n')
        # What was learned of a server is forgotten when the file changes that has the password.
        if not os.path.exists(path) or open(path).read() != text:
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                file.write(text)
        return [self.program, "--config", path, "-q"]


class Mbsync:
    name = "mbsync"

    def command(self, home, server, port, user):
        os.makedirs(f"{home}/mail", exist_ok=True)
        os.makedirs(f"{home}/state", exist_ok=True)
        with open(f"{home}/mbsyncrc", "w") as file:
            file.write(f"""FSync yes

IMAPStore far
Host localhost
Port {port}
User {user}
Pass pass
AuthMechs LOGIN
SSLType IMAPS
CertificateFile {server.trust}
SystemCertificates no
DisableExtension COMPRESS=DEFLATE
Timeout 120

MaildirStore near
Path {home}/mail/
Inbox {home}/mail/INBOX
SubFolders Verbatim

Channel all
Far :far:
Near :near:
Patterns *
Create Near
Sync All
SyncState {home}/state/
""")
        return ["mbsync", "-q", "-c", f"{home}/mbsyncrc", "-a"]


class MbsyncNotmuch(Mbsync):
    """mbsync, and `notmuch new` behind it, which is what the peak of memory is of."""
    name = "mbsync-notmuch"

    def command(self, home, server, port, user):
        mirror = super().command(home, server, port, user)
        path = f"{home}/notmuch-config"
        with open(path, "w") as file:
            file.write(f"[database]\npath={home}/mail\n[user]\nname=User\nprimary_email=user@example.net\n"
                       "[new]\ntags=unread;inbox\nignore=.uidvalidity\n[maildir]\nsynchronize_flags=true\n")
        return ["sh", "-c", f"{shlex.join(mirror)} && exec notmuch --config={shlex.quote(path)} new --quiet"]


def count_mails(folder):
    return sum(len(files) for base, _, files in os.walk(folder)
               if os.path.basename(base) in ("cur", "new") and "/.magnum" not in base)


def run(program, home, server, port, user, every=0.01):
    """One run: seconds, its peak of memory, looked at every so many seconds, seconds of the processor in the program itself."""
    command = program.command(home, server, port, user)
    environment = dict(os.environ, HOME=home)
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        environment.pop(name, None)
    start, before = time.monotonic(), os.times().children_user
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    peak = Peak(process.pid, every)
    process.wait()
    seconds, processor = time.monotonic() - start, os.times().children_user - before
    if process.returncode:
        raise SystemExit(f"{program.name} ended with {process.returncode}")
    return seconds, peak, processor


class Peak:
    """The high-water mark of a process, looked at until it ends; what wait4 tells begins with that of the parent.

    A part of it are pages of files: of the program and its libraries, which all processes share that run them.
    """

    def __init__(self, identifier=None, every=0.01):
        self.megabytes = self.files = 0
        self.every = every
        if identifier is None:
            return
        threading.Thread(target=self._watch, args=(f"/proc/{identifier}/status",), daemon=True).start()

    def _watch(self, path):
        try:
            while True:
                with open(path) as file:
                    values = {words[0]: words[1] for words in map(str.split, file) if len(words) > 1}
                if "VmHWM:" not in values:
                    return
                self.megabytes = int(values["VmHWM:"]) / 1024
                self.files = max(self.files, int(values["RssFile:"]) / 1024)
                time.sleep(self.every)
        except (OSError, StopIteration):
            return


def built_program(name="magnum-sync"):
    """The program as it is installed."""
    subprocess.run(["make", "-s", "-C", ROOT, "build"], check=True, stdout=sys.stderr)
    return f"{ROOT}/.build/release/install/{name}"
