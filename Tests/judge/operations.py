"""The steps of a scene: what is done on the server and on the machines. A step is a line of text, so that it can be kept.

    server append TOKEN MAILBOX LETTERS KIND      server move|copymove|copy TOKEN MAILBOX TO
    server flag|keyword TOKEN MAILBOX +X          server expunge TOKEN MAILBOX          server empty MAILBOX
    server create|delete MAILBOX                  server rename|rotate MAILBOX NEW      server validity MAILBOX
    m1 new TOKEN FOLDER LETTERS KIND              m1 flag TOKEN FOLDER +X               m1 remove TOKEN FOLDER
    m1 move TOKEN FOLDER TO                       m1 mutt TOKEN FOLDER TO               m1 copy TOKEN FOLDER TO same|new
    m1 edit TOKEN FOLDER inplace|replace|new      m1 mkdir|rmfolder FOLDER              m1 rename|rotate|cpfolder FOLDER NEW
    m1 guard FOLDER there|here      everything in it is removed by accident, then a run: the deletion guard has to hold
    m1 odd FOLDER TOKEN             a folder with an unusual name and a message in it
    m1 save NAME    m1 putback NAME state|all|map:FOLDER     m1 lose maps|summary|all              m1 flip NUMBER
    m1 sync [fault=N] [error=N:ENOSPC] [kill=MS] [term=MS] [cut=N] [patient] [scan] [| MS STEP]...
    m1 watch term|kill=MS [fault=N] [error=N:ENOSPC] [| MS STEP]...     a magnum watch is up meanwhile and ends by that signal so
                                                                        many milliseconds after the last step; steps may be runs
    wait            judge

Spaces in names are written as "_", tabs as "^I", so that a line splits at its spaces; letters are "-" for none. What a step names and
is not there any more makes the step do nothing, so that any part of a scene is a scene.
"""
import os
import shutil
import signal
import time

import content
import imap
import maildir
from model import NONE
from names import place

NO_LETTERS = "-"


class Unguarded(Exception):
    """The deletion guard let an accident through."""


class Fallen(Exception):
    """A watch ended in a way in which it may not, or did not end."""


class World:
    """The server, the machines and the model of one scene."""

    def __init__(self, server, user, machines, keep):
        self.server, self.user, self.keep = server, user, keep
        self.machines = {machine.name: machine for machine in machines}
        self.link = None
        self.count = 0
        self.did = 0
        self.parts = None        # what is known of large messages; none where all are mirrored whole
        self.is_watched = False  # whether a step is under way that it watches

    # The server ----------------------------------------------------------------------------------------------------

    def client(self):
        """The connection of another client of the user."""
        if not self.link:
            self.link = imap.Client("127.0.0.1", self.server.port, self.user)
        return self.link

    def disconnect(self):
        if self.link:
            self.link.close()
        self.link = None

    def find_there(self, token, box):
        """The connection, and the messages of a token in a mailbox, which is selected then."""
        client = self.client()
        client.select(box)
        found = []
        for message in client.fetch(box, "BODY.PEEK[HEADER.FIELDS (SUBJECT)]"):
            if content.identify(message.octets)[0] == token:
                found.append(message)
        client.select(box)
        return client, found

    def find_here(self, machine, token, box):
        for file in maildir.files(machine.root, [box]):
            try:
                if content.identify(file.read())[0] == token:
                    yield file
            except OSError:
                continue


def name_of(word):
    return word.replace("_", " ").replace("^I", "\t")


def word_of(name):
    return name.replace(" ", "_").replace("\t", "^I")


def perform(world, model, line):
    """Carries out a step; tells whether it did anything."""
    if world.parts and not world.is_watched:
        world.is_watched = True  # what is done in the midst of a run is part of it
        try:
            return world.parts.watch(world, line, lambda: perform(world, model, line))
        finally:
            world.is_watched = False
    words = line.split(" ")
    if words[0] == "wait":
        time.sleep(2.1)
        return True
    side, verb, arguments = words[0], words[1], words[2:]
    try:
        if side == "server":
            return SERVER[verb](world, model, *map(name_of, arguments))
        if verb == "sync":
            return sync(world, model, world.machines[side], line)
        if verb == "watch":
            return watch(world, model, world.machines[side], line)
        if side not in world.machines:
            return False
        return LOCAL[verb](world, model, world.machines[side], *map(name_of, arguments))
    except imap.Refused as refused:
        if "closed" in str(refused):
            world.link = None
        return False
    except (OSError, KeyError):
        return False


# What another client does on the server -------------------------------------------------------------------------------

def there_append(world, model, token, box, letters, kind):
    letters = "" if letters == NO_LETTERS else letters
    flags = " ".join(imap.SYSTEM[letter] for letter in letters)
    if token in model.tokens or box in model.side_only:
        return False
    world.client().append(box, content.octets(token, 1, kind), flags)
    model.new(token, kind, "server", box, letters)
    return True


def there_move(world, model, token, box, to, by_copy=False):
    client, found = world.find_there(token, box)
    if not found or box == to:
        return False
    uid = found[0].uid
    if by_copy or not world.server.has_move:
        _, text = client.command(f"UID COPY {uid} {imap.quoted(to)}")
        if "COPYUID" not in text:
            return False
        try:
            client.command(f"UID STORE {uid} +FLAGS.SILENT (\\Deleted)")
            client.command(f"UID EXPUNGE {uid}")
        except (imap.Refused, OSError):  # it was renamed meanwhile: the copy is there, the message perhaps marked
            model.copy(token, "server", box, to, found[0].letters, found[0].keywords)
            model.tokens[token].tainted = True
            raise
    else:
        untagged, text = client.command(f"UID MOVE {uid} {imap.quoted(to)}")
        if "COPYUID" not in text + " ".join(line for line, _ in untagged):
            return False
    model.event(token, "move", "server", box, to)
    return True


def there_copymove(world, model, token, box, to):
    return there_move(world, model, token, box, to, by_copy=True)


def there_copy(world, model, token, box, to):
    client, found = world.find_there(token, box)
    if not found:
        return False
    _, text = client.command(f"UID COPY {found[0].uid} {imap.quoted(to)}")
    if "COPYUID" not in text:
        return False
    model.copy(token, "server", box, to, found[0].letters, found[0].keywords)
    return True


def there_flag(world, model, token, box, change, kind="flag"):
    client, found = world.find_there(token, box)
    if not found:
        return False
    flag = imap.SYSTEM[change[1]] if kind == "flag" else change[1:]
    if (change[0] == "+") == (change[1:] in (found[0].letters if kind == "flag" else found[0].keywords)):
        return False
    client.command(f"UID STORE {found[0].uid} {change[0]}FLAGS ({flag})")
    model.event(token, kind, "server", box, None, change)
    return True


def there_keyword(world, model, token, box, change):
    return there_flag(world, model, token, box, change, "keyword")


def there_expunge(world, model, token, box):
    client, found = world.find_there(token, box)
    if not found:
        return False
    client.command(f"UID STORE {found[0].uid} +FLAGS.SILENT (\\Deleted)")
    client.command(f"UID EXPUNGE {found[0].uid}")
    model.event(token, "expunge", "server", box, NONE)
    return True


def there_empty(world, model, box):
    """A mailbox emptied by its server, as Trash is after some weeks."""
    client = world.client()
    found = client.fetch(box, "BODY.PEEK[HEADER.FIELDS (SUBJECT)]")
    if not found:
        return False
    client.select(box)
    uids = ",".join(str(message.uid) for message in found)
    client.command(f"UID STORE {uids} +FLAGS.SILENT (\\Deleted)")
    client.command(f"UID EXPUNGE {uids}")
    for message in found:
        token, _ = content.identify(message.octets)
        if token in model.tokens:
            model.event(token, "expunge", "server", box, NONE)
    return True


def there_create(world, model, box):
    world.client().command(f"CREATE {imap.quoted(box)}")
    return True


def forget_identity(world, model, box, sides, others):
    """Where nothing may tell that a renamed mailbox is the same, its folders stay on these sides, with words.

    So do those of the mailboxes below it; `others` are the names of those that exist by now."""
    if box in model.renumbered:
        model.side_only[box] = sides
    elif not world.server.keeps_identity:
        names = model.names(box)
        inner = [other for other in others if any(other.startswith(name + "/") for name in names)]
        for name in names.union(*map(model.names, inner)):
            model.side_only[name] = sides
        model.ambiguous = True


def there_rename(world, model, box, to, again=False):
    client = world.client()
    client.command(f"RENAME {imap.quoted(box)} {imap.quoted(to)}")
    model.renames.append((box, to))
    forget_identity(world, model, box, set(world.machines), client.mailboxes())
    if again:
        client.command(f"CREATE {imap.quoted(box)}")
    return True


def there_rotate(world, model, box, to):
    return there_rename(world, model, box, to, again=True)


def there_delete(world, model, box):
    """A mailbox deleted with the mail in it: its folders stay on the machines, with words."""
    client = world.client()
    found = client.fetch(box, "BODY.PEEK[HEADER.FIELDS (SUBJECT)]")
    client.select("INBOX")
    client.command(f"DELETE {imap.quoted(box)}")
    for name in model.names(box):
        model.side_only[name] = set(world.machines)
    for message in found:
        token, _ = content.identify(message.octets)
        if token in model.tokens:
            known = model.tokens[token]
            known.tainted = True
            known.may_be_gone |= any(item.base is None or item.events for item in known.instances)
    return True


def there_validity(world, model, box):
    """The server loses its list of UIDs: it gives all messages new ones, and the mailbox another UIDVALIDITY."""
    world.disconnect()
    world.server.wait_closed(world.user)
    folder = world.server.mail(world.user)
    if box != "INBOX":
        folder += "/." + box.replace("/", ".")
    if not os.path.isdir(f"{folder}/cur"):
        return False
    for name in os.listdir(folder):
        if name.startswith(("dovecot-uidlist", "dovecot.index")):
            os.unlink(f"{folder}/{name}")
    model.ambiguous = True
    model.renumbered.add(box)
    if any(box in rename for rename in model.renames):
        for name in model.names(box):
            model.side_only[name] = set(world.machines)
    return True


SERVER = {name[6:]: function for name, function in list(globals().items()) if name.startswith("there_")}


# What people and their programs do on a machine ------------------------------------------------------------------------

def pick(world, machine, token, box):
    return next(world.find_here(machine, token, box), None)


def here_new(world, model, machine, token, box, letters, kind):
    letters = "" if letters == NO_LETTERS else letters
    if token in model.tokens or box in model.side_only:
        return False
    data = content.stored(content.octets(token, 1, kind))
    if not os.path.isdir(f"{place(machine.root, box)}/cur"):
        return False
    maildir.deliver(machine.root, box, data, letters, fresh(world))
    model.new(token, kind, machine.name, box, letters)
    return True


def fresh(world):
    """A base name that is the same each time a scene is played, and behind those of fetched files in order."""
    world.count += 1
    return f"18{world.count:08}.R{world.count}.judge"


def here_flag(world, model, machine, token, box, change):
    file = pick(world, machine, token, box)
    if not file:
        return False
    letters = set(file.letters)
    if (change[0] == "+") == (change[1] in letters):
        return False
    letters = letters | {change[1]} if change[0] == "+" else letters - {change[1]}
    maildir.set_letters(machine.root, file, letters)
    model.event(token, "flag", machine.name, box, None, change)
    return True


def here_move(world, model, machine, token, box, to, is_mutt=False):
    file = pick(world, machine, token, box)
    if not file or box == to or to in model.side_only:
        return False
    maildir.move(machine.root, file, to, fresh(world) if is_mutt else None)
    model.event(token, "mutt" if is_mutt else "move", machine.name, box, to)
    return True


def here_mutt(world, model, machine, token, box, to):
    return here_move(world, model, machine, token, box, to, is_mutt=True)


def here_copy(world, model, machine, token, box, to, how):
    file = pick(world, machine, token, box)
    if not file or to in model.side_only:
        return False
    maildir.copy(machine.root, file, to, file.base if how == "same" else fresh(world))
    model.copy(token, machine.name, box, to, file.letters, (), how)
    return True


def here_remove(world, model, machine, token, box):
    file = pick(world, machine, token, box)
    if not file:
        return False
    os.unlink(file.path)
    model.event(token, "remove", machine.name, box, NONE)
    return True


def here_edit(world, model, machine, token, box, how):
    file = pick(world, machine, token, box)
    known = model.tokens.get(token)
    if not file or not known or len(known.instances) != 1:
        return False
    data = content.stored(content.octets(token, known.revision + 1, known.kind))
    maildir.edit(machine.root, file, data, how, fresh(world))
    model.event(token, "edit", machine.name, box, None, how)
    return True


def here_mkdir(world, model, machine, box):
    if os.path.isdir(f"{place(machine.root, box)}/cur"):
        return False
    maildir.make(machine.root, box)
    # Below a folder whose mailbox was renamed elsewhere, and nothing tells that it is the same.
    if any(box.startswith(left + "/") and sides == {machine.name} for left, sides in model.side_only.items()):
        model.side_only[box] = {machine.name}
    return True


def here_rmfolder(world, model, machine, box):
    """A folder removed with the mail and the folders in it: the mailboxes stay, with words."""
    folders = [folder for folder in maildir.folders(machine.root) if (folder + "/").startswith(box + "/")]
    for file in maildir.files(machine.root, folders):
        token, _ = content.identify(file.read())
        if token in model.tokens:
            known = model.tokens[token]
            known.tainted = True
            known.may_be_gone |= any(item.base is None or item.events for item in known.instances)
    shutil.rmtree(place(machine.root, box))
    for folder in folders:
        for name in model.names(folder):
            model.side_only[name] = set(model.sides) - {machine.name}
    return True


def here_rename(world, model, machine, box, to, again=False):
    if os.path.exists(place(machine.root, to)) or not os.path.isdir(f"{place(machine.root, box)}/cur"):
        return False
    os.makedirs(os.path.dirname(place(machine.root, to)), exist_ok=True)
    os.rename(place(machine.root, box), place(machine.root, to))
    model.renames.append((box, to))
    everywhere = [name for other in world.machines.values() for name in maildir.folders(other.root)]
    everywhere += world.client().mailboxes()
    forget_identity(world, model, box, set(world.machines) - {machine.name}, everywhere)
    for left in [name for name in model.side_only if name.startswith(box + "/")]:
        model.side_only[to + left[len(box):]] = model.side_only[left]
    if again:
        maildir.make(machine.root, box)
        if model.in_run:
            model.rotations |= model.names(box)
    return True


def here_rotate(world, model, machine, box, to):
    return here_rename(world, model, machine, box, to, again=True)


def here_cpfolder(world, model, machine, box, to):
    """A folder copied with all that is in it, its ownership marker too."""
    if os.path.exists(place(machine.root, to)) or not os.path.isdir(f"{place(machine.root, box)}/cur"):
        return False
    found = [file for file in maildir.files(machine.root, [box])]
    shutil.copytree(place(machine.root, box), place(machine.root, to),
                    ignore=lambda base, names: [name for name in names
                                                if os.path.isdir(f"{base}/{name}/cur") and base.endswith(box)])
    for file in found:
        token, _ = content.identify(file.read())
        if token in model.tokens:
            model.copy(token, machine.name, box, to, file.letters, (), "same")
    model.odd.add(to)
    return True


def here_guard(world, model, machine, box, where):
    """All of at least three messages are removed by accident: the run that follows may not carry it to the other side."""
    settled = {token.name for token in model.tokens.values() if len(token.instances) == 1 and not token.tainted
               and token.instances[0].base == box and not token.instances[0].events}
    here = {content.identify(file.read())[0] for file in maildir.files(machine.root, [box])}
    there = {content.identify(item.octets)[0] for item in world.client().fetch(box)}
    settled &= here & there
    if len(settled) < 3 or box in ("Trash", "Junk") or box in model.side_only or model.ambiguous or model.renames:
        return False
    if where == "there":
        there_empty(world, model, box)
    else:
        for file in maildir.files(machine.root, [box]):
            token, _ = content.identify(file.read())
            os.unlink(file.path)
            if token in model.tokens:
                model.event(token, "remove", machine.name, box, NONE)
    sync(world, model, machine, f"{machine.name} sync")
    left = {content.identify(file.read())[0] for file in maildir.files(machine.root, [box])} if where == "there" else \
        {content.identify(item.octets)[0] for item in world.client().fetch(box)}
    if settled - left:
        raise Unguarded(f"{len(settled - left)} of {len(settled)} settled messages of {box} were removed at once: "
                        f"{' '.join(sorted(settled - left))}\n{machine.last}")
    return True


def here_odd(world, model, machine, box, token):
    """A folder with an unusual name and a message in it: mirrored, or reported in every run."""
    if token in model.tokens or os.path.exists(place(machine.root, box)):
        return False
    maildir.make(machine.root, box)
    maildir.deliver(machine.root, box, content.stored(content.octets(token, 1, "plain")), "S", fresh(world))
    model.new(token, "plain", machine.name, box, "S")
    model.odd |= {box, box.replace("%", "%25")}  # the second is what other machines call it
    return True


def here_save(world, model, machine, name):
    if not machine.save(name):
        return False
    model.since[machine.name] = {known for known, token in model.tokens.items()
                                 if any(item.events or item.base is None for item in token.instances)}
    return True


def here_putback(world, model, machine, name, what):
    if not machine.put_back(name, what):
        return False
    model.ambiguous = True
    model.records_lost = True
    if what == "all":
        model.forget_local(machine.name)
    return True


def here_lose(world, model, machine, what):
    model.ambiguous = True
    model.records_lost = True
    return machine.lose(what)


def here_flip(world, model, machine, number):
    model.ambiguous = True
    model.records_lost = True
    return machine.flip(int(number))


LOCAL = {name[5:]: function for name, function in list(globals().items()) if name.startswith("here_")}


# A run -----------------------------------------------------------------------------------------------------------------

def here_limit(world, model, machine, state):
    """The size limit of the account is switched."""
    machine.is_limited = state == "on"
    machine.configure(machine.port)
    return True


def sync(world, model, machine, line):
    """One run of the program, perhaps cut short, perhaps with steps in the middle of it."""
    given, races = parts(line)
    signals = None
    for word, number in (("kill", signal.SIGKILL), ("term", signal.SIGTERM)):
        if word in given:
            signals = (number, float(given[word]))
    options = [f"--{name}" for name in ("scan",) if name in given]

    model.ran()
    model.disk_was_full |= "error" in given
    model.was_cut |= bool({"fault", "error", "kill", "term", "cut"} & set(given))
    world.did += 1
    machine.run(f"{world.did:03}", options, fault=given.get("fault"), error=given.get("error"), signals=signals,
                cut=int(given["cut"]) if "cut" in given else None, patient="patient" in given,
                meanwhile=(lambda: race(world, model, races)) if races else None)
    return True


def parts(line):
    """The words of a run as a table, and the steps that are done meanwhile."""
    head, *races = line.split(" | ")
    return dict((word.split("=", 1) + [""])[:2] for word in head.split(" ")[2:]), races


def race(world, model, races, before=lambda: None):
    """Carries out steps, each so many milliseconds after the beginning; `before` is called before each."""
    begin = time.monotonic()
    for item in races:
        after, step = item.split(" ", 1)
        time.sleep(max(0, begin + float(after) / 1000 - time.monotonic()))
        before()
        model.in_run = True
        perform(world, model, step)
        model.in_run = False


def watch(world, model, machine, line):
    """A watch in place of runs: how often it syncs, and before which of the steps, is its own decision."""
    given, races = parts(line)
    last, linger = (signal.SIGKILL, given["kill"]) if "kill" in given else (signal.SIGTERM, given.get("term", 0))
    model.ran()
    model.disk_was_full |= "error" in given
    model.was_cut = True
    world.did += 1
    outcome = machine.watch(f"{world.did:03}-watch", lambda: race(world, model, races, model.ran), last, float(linger),
                            given.get("fault"), given.get("error"))
    # By SIGTERM where it had not begun to handle signals.
    if outcome.status not in (0, -signal.SIGTERM, -signal.SIGKILL):
        raise Fallen(f"{machine.name}: {outcome}")
    model.ran()
    return True
