"""What the scripts of this folder share: a folder of their own, a certificate, and an end with the one who started them."""
import ctypes
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PASSWORD = b"pass"


def unpacked(tool):
    """The folder into which Tests/need unpacked a tool."""
    return os.path.join(ROOT, ".build", "need", tool)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def certificate(folder):
    """Makes key.pem and cert.pem for localhost, signed by an authority of its own in ca.pem."""
    script = """
      openssl ecparam -name prime256v1 -genkey -noout -out ca.key
      openssl ecparam -name prime256v1 -genkey -noout -out key.pem
      openssl req -x509 -key ca.key -days 2 -subj '/CN=Magnum tests' -addext keyUsage=critical,keyCertSign -out ca.pem
      openssl req -new -key key.pem -subj /CN=localhost -out request.pem
      printf 'subjectAltName=DNS:localhost\\nextendedKeyUsage=serverAuth\\n' >extensions
      openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile extensions -out cert.pem
    """
    subprocess.run(["sh", "-ec", script], cwd=folder, check=True, capture_output=True)


def write(path, text, mode=0o644):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def listen(path):
    """A Unix socket that everybody may connect to."""
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    os.chmod(path, 0o777)
    server.listen(64)
    return server


def serve(server, answer):
    """Hands each connection of a socket to `answer`, in threads that do not hold up the end."""
    def one(connection):
        with connection:
            try:
                answer(connection)
            except (OSError, struct.error, ValueError):
                pass

    def run():
        while True:
            connection, _ = server.accept()
            threading.Thread(target=one, args=(connection,), daemon=True).start()

    threading.Thread(target=run, daemon=True).start()


def wait_until_greeted(ports, seconds=20):
    """Waits until every port greets; the first needs no TLS to do so."""
    end = time.monotonic() + seconds
    for number, port in enumerate(ports):
        while True:
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
                    if number > 0 or connection.recv(4) == b"* OK":
                        break
            except OSError:
                pass
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
    return True


def launch(words, environment, log):
    """Starts a process that ends with this one, however this one ends."""
    return subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                            preexec_fn=lambda: ctypes.CDLL(None).prctl(1, signal.SIGTERM))


def stop(_number, _frame):
    sys.exit(0)


def host(name, start):
    """Runs `start(folder, clear, tls)`, which gives processes, until standard input ends; then ends them and removes the folder.

    Once the server answers, FOLDER/ports says "CLEAR TLS", and so does a line on standard output.
    """
    if len(sys.argv) != 2:
        sys.exit(f"usage: Tests/servers/{name} FOLDER   (a folder that does not exist yet; ends with its standard input)")
    if os.getuid() != 0:
        sys.exit(f"{name}: only root can run this server")
    # A signal to the group of whoever started it must not end it before it has tidied up.
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, stop)
    folder = os.path.abspath(sys.argv[1])
    os.makedirs(folder)
    os.chmod(folder, 0o755)
    processes = []
    failed = False
    try:
        certificate(folder)
        clear, tls = free_port(), free_port()
        processes = start(folder, clear, tls)
        if wait_until_greeted((clear, tls)):
            write(os.path.join(folder, "ports.new"), f"{clear} {tls}\n")
            os.rename(os.path.join(folder, "ports.new"), os.path.join(folder, "ports"))
            print(clear, tls, flush=True)
            while os.read(0, 4096):
                pass
        else:
            failed = True
            print(f"{name}: does not answer; its files are in {folder}", file=sys.stderr)
    finally:
        for process in reversed(processes):
            process.terminate()
        for process in processes:
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
        if not failed:
            shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if failed else 0)
