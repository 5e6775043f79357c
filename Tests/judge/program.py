"""One machine: a home with a configuration and a Maildir, the program under test, and the ways to end it early."""
import glob
import os
import re
import shutil
import signal
import socket
import subprocess
import threading

from names import place

ACCOUNT = "a"


class Outcome:
    """How a run ended: a status, or the number of a signal as a negative one; None for a run that hangs."""

    def __init__(self, status, output, problems):
        self.status, self.output, self.problems = status, output, problems

    def __str__(self):
        return f"status {self.status}\n{self.output}{self.problems}"


class Machine:
    is_daily = False  # whether the account fetches a few messages a day; every third run is on a new one

    is_parted = False  # whether the account has a size limit, which is switched

    def __init__(self, name, folder, program, user, address, port, keep):
        self.name, self.home, self.program = name, f"{folder}/{name}", program
        self.root = f"{self.home}/Mail"
        self.user, self.address, self.port, self.keep = user, address, port, keep
        os.makedirs(self.home)
        self.last = None
        self.runs = self.day = 0
        self.was_killed = False  # since the last judgement
        self.is_damaged = False  # and no run need have read what is
        self.apart = set()       # the files of which a run said that they are detached
        self.is_limited = self.is_parted
        self.configure(port)

    def configure(self, port):
        path = f"{self.home}/config.toml"
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(f'[account.{ACCOUNT}]\nmaildir = "~/Mail"\nimap = "imap+plain://{self.address}:{port}"\n'
                       f'user = "{self.user}"\npassword = "pass"\nindex = false\n')
            if self.is_parted:
                file.write(f'[account.{ACCOUNT}.sync]\non-local-delete = "expunge"\nexpunge = "all"\n')
                if self.is_limited:
                    file.write('size-limit = "100kB"\n')
            elif self.is_daily:
                file.write(f'[account.{ACCOUNT}.sync]\ndaily-limit = "1kB"\n')

    def run(self, label, options=(), fault=None, error=None, signals=None, cut=None, patient=False,
            meanwhile=None):
        """Runs the program once.

        fault: the fault point at which it ends itself; error: a change on disk that fails, "N:ENOSPC"; signals:
        (number, after so many milliseconds); cut: the octets after which the connection breaks, whereupon the program is
        told to end unless patient; meanwhile: called when the run has begun.
        """
        environment = self.environment(fault, error)
        proxy = Cut(self.address, self.port, cut) if cut else None
        if proxy:
            self.configure(proxy.port)
        command = [self.program, "-v", "--config", f"{self.home}/config.toml", *options]
        path = f"{self.keep}/{label}-{self.name}.txt"
        with open(path + ".out", "wb") as out, open(path + ".err", "wb") as err:
            process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                       cwd=self.home)
            timer = None
            if signals:
                timer = threading.Timer(signals[1] / 1000, lambda: process.poll() is None
                                        and process.send_signal(signals[0]))
                timer.start()
            if meanwhile:
                meanwhile()
            if proxy and not patient:
                # The program would wait five seconds before it connects again.
                while process.poll() is None and not proxy.happened.wait(0.01):
                    pass
                try:
                    process.wait(0.15)
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGTERM)
            try:
                status = process.wait(120 if cut else 60)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                status = None
            if timer:
                timer.cancel()
        if proxy:
            proxy.close()
            self.configure(self.port)
        self.was_killed |= bool(fault or error or signals or cut)
        return self.note(path, status, f"{' '.join(command)}  fault={fault} error={error} signal={signals} cut={cut}")

    def watch(self, label, meanwhile, last, linger=0, fault=None, error=None):
        """Has `magnum watch` sync in place of runs, while `meanwhile` is carried out and so many milliseconds longer.

        last: the signal by which it ends then; fault, error: as for a run.
        """
        # Many watches of a scene are within one hour.
        for folder, _, names in os.walk(f"{self.home}/state"):
            if "logins" in names:
                os.unlink(f"{folder}/logins")
        command = [f"{os.path.dirname(self.program)}/magnum", "watch", "-v", "--config", f"{self.home}/config.toml"]
        path = f"{self.keep}/{label}-{self.name}.txt"
        with open(path + ".out", "wb") as out, open(path + ".err", "wb") as err:
            process = subprocess.Popen(command, env=self.environment(fault, error), stdin=subprocess.DEVNULL, stdout=out,
                                       stderr=err, cwd=self.home)
            try:
                meanwhile()
                process.wait(linger / 1000)
            except subprocess.TimeoutExpired:
                process.send_signal(last)
            finally:
                if process.poll() is None and last != signal.SIGKILL:
                    process.send_signal(last)
            try:
                status = process.wait(20)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                status = None
        self.was_killed = True
        return self.note(path, status, f"{' '.join(command)}  fault={fault} error={error} signal={last}")

    def environment(self, fault, error):
        environment = {"HOME": self.home, "PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8", "TZ": "UTC",
                       "SWIFT_BACKTRACE": "enable=no", "MAGNUM_COPY_WAIT": "0",
                       "XDG_STATE_HOME": f"{self.home}/state"}
        if self.is_daily:
            self.runs += 1
            self.day += self.runs % 3 == 0
            environment["MAGNUM_DAYS_AHEAD"] = str(self.day)
        if fault:
            environment["MAGNUM_FAULT"] = str(fault)
        if error:
            environment["MAGNUM_FAULT_ERROR"] = error
        return environment

    def note(self, path, status, title):
        """How a run ended, from the files of what it printed, which become one."""
        with open(path + ".out", errors="replace") as file:
            output = file.read()
        with open(path + ".err", errors="replace") as file:
            problems = file.read()
        os.unlink(path + ".out")
        os.unlink(path + ".err")
        outcome = self.last = Outcome(status, output, problems)
        self.apart |= set(re.findall(r"detach (\S+) \(no longer on the server\)", output + problems))
        with open(path, "w") as file:
            file.write(f"{title}\n{outcome}")
        return outcome

    # The program's own records ---------------------------------------------------------------------------------

    def save(self, name):
        """A backup of the Maildir with the state in it."""
        if not os.path.isdir(f"{self.root}/.magnum"):
            return False  # what no run has seen is no Maildir of the account: put back, it is refused
        target = f"{self.home}/backup-{name}"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(self.root, target, symlinks=True)
        return True

    def put_back(self, name, what):
        source = f"{self.home}/backup-{name}"
        if not os.path.isdir(source):
            return False
        if what.startswith("map:"):
            return self.put_back_map(source, what[4:])
        if what == "state":
            if not os.path.isdir(f"{source}/.magnum"):
                return False
            shutil.rmtree(f"{self.root}/.magnum", ignore_errors=True)
            shutil.copytree(f"{source}/.magnum", f"{self.root}/.magnum", symlinks=True)
        else:
            shutil.rmtree(self.root)
            shutil.copytree(source, self.root, symlinks=True)
        return True

    def put_back_map(self, source, box):
        """The records of one folder, as when a run is killed between the logs of two folders."""
        with open(f"{place(self.root, box)}/.magnum-id") as file:
            identifier = file.read().split()[0]
        folder = f"{self.root}/.magnum/mailboxes"
        for name in os.listdir(folder):
            if name.startswith(identifier):
                os.unlink(f"{folder}/{name}")
        for name in os.listdir(f"{source}/.magnum/mailboxes"):
            if name.startswith(identifier):
                shutil.copy2(f"{source}/.magnum/mailboxes/{name}", f"{folder}/{name}")
        shutil.copy2(f"{source}/.magnum/summary", f"{self.root}/.magnum/summary")
        return True

    def lose(self, what):
        state = f"{self.root}/.magnum"
        if what == "all":
            shutil.rmtree(state, ignore_errors=True)
            shutil.rmtree(f"{self.home}/state", ignore_errors=True)
            # They are of a Maildir that no run knows any more: one that is put back is refused.
            for backup in glob.glob(f"{self.home}/backup-*"):
                shutil.rmtree(backup)
        elif what == "maps":
            shutil.rmtree(f"{state}/mailboxes", ignore_errors=True)
            os.makedirs(f"{state}/mailboxes", exist_ok=True)
        elif what == "summary":
            try:
                os.unlink(f"{state}/summary")
            except OSError:
                return False
        return True

    def flip(self, number):
        """One octet of one of the maps and logs is another one."""
        folder = f"{self.root}/.magnum/mailboxes"
        try:
            names = sorted(name for name in os.listdir(folder) if os.path.getsize(f"{folder}/{name}"))
        except OSError:
            return False
        if not names:
            return False
        path = f"{folder}/{names[number % len(names)]}"
        self.is_damaged = True
        with open(path, "r+b") as file:
            data = bytearray(file.read())
            data[number * 7919 % len(data)] ^= 1 << number % 7
            file.seek(0)
            file.write(data)
        return True


class Cut:
    """A proxy that breaks all connections once, after so many octets of both directions; later ones live."""

    def __init__(self, address, port, octets):
        self.target, self.left, self.happened = (address, port), octets, threading.Event()
        self.lock, self.links = threading.Lock(), []
        self.listener = socket.socket()
        self.listener.bind((address, 0))
        self.listener.listen(8)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(self.target, 5)
            except OSError:
                near.close()
                continue
            self.links += [near, far]
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=(source, target), daemon=True).start()

    def carry(self, source, target):
        try:
            while True:
                data = source.recv(4096)
                if not data:
                    break
                if not self.happened.is_set():
                    with self.lock:
                        data = data[:max(0, self.left)]
                        self.left -= len(data)
                target.sendall(data)
                if self.left <= 0 and not self.happened.is_set():
                    self.happened.set()
                    self.shut(list(self.links))
        except OSError:
            pass
        self.shut([source, target])

    @staticmethod
    def shut(links):
        for link in links:
            try:
                link.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self.listener.close()
        self.shut(self.links)
