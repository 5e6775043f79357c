"""Counts the requests that a browser makes for each page named, by taking the place of all servers as its proxy."""
import os
import socket
import subprocess
import sys
import threading

OWN = ("google", "gstatic", "gvt1", "chromium")  # what the browser asks for itself


def count(page):
    seen = []
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(5)
                try:
                    line = connection.recv(4096).split(b"\r\n")[0].decode("latin-1")
                except OSError:
                    line = "?"
                if not any(name in line for name in OWN):
                    seen.append(line)

    threading.Thread(target=serve, daemon=True).start()
    subprocess.run(
        [
            "/usr/bin/chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-extensions", "--disable-default-apps", "--user-data-dir=" + os.path.abspath(page + ".profile"),
            "--proxy-server=127.0.0.1:%d" % listener.getsockname()[1], "--proxy-bypass-list=<-loopback>",
            "--virtual-time-budget=3000", "--dump-dom", "file://" + os.path.abspath(page),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    listener.close()
    return len(seen)


for page in sys.argv[1:]:
    print(count(page))
