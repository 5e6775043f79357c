"""The folders of one machine, and what a mail program does in them."""
import os
import random

from names import place, unplace

INFO = ":2,"


class File:
    """A message file; `box` is the folder's path below the root, `letters` its flags."""

    def __init__(self, root, box, part, name):
        self.box, self.part, self.name = box, part, name
        self.path = f"{place(root, box)}/{part}/{name}"
        self.base, _, letters = name.partition(INFO)
        self.letters = "".join(sorted(letter for letter in letters if letter in "SFRDP"))
        self.all_letters = letters

    def read(self):
        with open(self.path, "rb") as file:
            return file.read()


def folders(root):
    """The names of all Maildirs below the root."""
    found = []
    for base, inner, _ in os.walk(root):
        inner[:] = sorted(name for name in inner if name not in ("cur", "new", "tmp", ".magnum"))
        if os.path.isdir(f"{base}/cur") and os.path.isdir(f"{base}/new"):
            found.append(unplace(os.path.relpath(base, root)))
    return sorted(found)


def files(root, boxes=None):
    """All message files below the root."""
    found = []
    for box in folders(root) if boxes is None else boxes:
        for part in ("cur", "new"):
            try:
                names = sorted(os.listdir(f"{place(root, box)}/{part}"))
            except OSError:
                continue
            found += [File(root, box, part, name) for name in names if not name.startswith(".")]
    return found


def make(root, box):
    for part in ("tmp", "new", "cur"):
        os.makedirs(f"{place(root, box)}/{part}", exist_ok=True)


def fresh_base(rng=random):
    return f"17{rng.randrange(10**8):08}.R{rng.randrange(10**9)}.judge"


def deliver(root, box, octets, letters, base):
    """A new file, as a mail program makes one: in tmp, then renamed into its place."""
    part = "cur" if letters else "new"
    name = base + INFO + letters if letters else base
    temporary = f"{place(root, box)}/tmp/{base}"
    with open(temporary, "wb") as file:
        file.write(octets)
    os.rename(temporary, f"{place(root, box)}/{part}/{name}")


def set_letters(root, file, letters):
    """Other flags by a rename; letters that the judge does not know stay."""
    kept = "".join(letter for letter in file.all_letters if letter not in "SFRDP")
    letters = "".join(sorted(set(letters) | set(kept)))
    os.rename(file.path, f"{place(root, file.box)}/cur/{file.base}{INFO}{letters}")


def move(root, file, box, base=None):
    """Into another folder: under its base name, or under a new one as mutt does."""
    part = file.part if base is None else "cur"
    name = file.name if base is None else base + INFO + file.all_letters
    target = f"{place(root, box)}/{part}/{name}"
    if any(other.base == (base or file.base) for other in files(root, [box])):
        raise FileExistsError(target)
    os.rename(file.path, target)


def copy(root, file, box, base):
    """A copy: through tmp, as mail programs make it."""
    part = "cur" if file.part == "cur" else "new"
    name = base + file.name[len(file.base):]
    target = f"{place(root, box)}/{part}/{name}"
    if any(other.base == base for other in files(root, [box])):
        raise FileExistsError(target)
    temporary = f"{place(root, box)}/tmp/{base}"
    with open(temporary, "wb") as out:
        out.write(file.read())
    os.rename(temporary, target)


def edit(root, file, octets, how, base):
    """A draft written anew: in its place, replaced under its name, or under a new name as mutt does."""
    if how == "inplace":
        with open(file.path, "r+b") as out:
            out.write(octets)
            out.truncate()
        return
    temporary = f"{place(root, file.box)}/tmp/{base}"
    with open(temporary, "wb") as out:
        out.write(octets)
    if how == "replace":
        os.stat(file.path)
        os.rename(temporary, file.path)
    else:
        os.rename(temporary, f"{place(root, file.box)}/cur/{base}{INFO}{file.all_letters}")
        os.unlink(file.path)
