"""Runs a program on a terminal and types answers: type.py ANSWERS PROGRAM ARGUMENT...

ANSWERS is a JSON array of pairs: what the program has to show before, and what is typed then. What the terminal shows goes to
standard output; the status is the program's.
"""

import json
import os
import pty
import sys

answers = json.loads(sys.argv[1])
process, terminal = pty.fork()
if process == 0:
    os.execv(sys.argv[2], sys.argv[2:])
shown, seen = b"", 0
while True:
    try:
        octets = os.read(terminal, 4096)
    except OSError:
        break
    if not octets:
        break
    shown += octets
    while answers and answers[0][0].encode() in shown[seen:]:
        question, answer = answers.pop(0)
        seen = shown.index(question.encode(), seen) + len(question.encode())
        os.write(terminal, answer.encode() + b"\n")
sys.stdout.buffer.write(shown)
sys.stdout.flush()
status = os.waitpid(process, 0)[1]
sys.exit(os.waitstatus_to_exitcode(status))
