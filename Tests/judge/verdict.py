"""The quiet runs, and the judgement over what both sides hold after them.

LOST      a message is nowhere, or fewer times than it has to be
DOUBLE    a message is there more often than it may be
STALE     the latest text of a draft is missing, or a text has changed
MISPLACED a message is in a mailbox where nothing has put it
FLAGS     a flag or keyword is not what it has to be
SILENT    the sides differ, the status is 0
DISAGREE  the sides differ, the status is not 0
GUARD     the deletion guard let an accident through
STUCK     the status does not become 0, and nothing that was done explains it
CHANGED   the runs go on changing something
CRASH     the program ended by a signal, hangs, or ended with a status that a quiet run cannot have
"""
import collections
import hashlib
import re

import content
import maildir
from model import LETTERS, NONE, PLACING, Instance


class Failure(Exception):
    def __init__(self, kind, token, text):
        self.kind, self.token, self.text = kind, token, text
        super().__init__(f"{kind} {token or ''}: {text}")


class Entry:
    """A message on a side."""

    def __init__(self, box, data, letters, keywords, name, is_wire, is_deleted=False):
        self.is_deleted = is_deleted
        self.box, self.letters, self.keywords, self.name = box, letters, keywords, name
        self.token, self.revision = content.identify(data)
        self.data, self.is_wire = data, is_wire
        self.digest = hashlib.sha1(data).hexdigest()[:12]

    def has(self, kind):
        """Whether the octets are those of the revision that it says it is."""
        wire = content.octets(self.token, self.revision, kind)
        return self.data == wire or not self.is_wire and self.data == content.stored(wire)

    def __repr__(self):
        words = " ".join(sorted(self.keywords))
        return f"{self.box}/{self.token} r{self.revision} [{self.letters}{' ' + words if words else ''}] {self.name}"


def look(world):
    """All messages of all sides, and the names of the mailboxes and folders."""
    entries, boxes = {}, {}
    there = world.client().everything()
    boxes["server"] = set(there)
    entries["server"] = [Entry(box, item.octets, item.letters, item.keywords, f"UID {item.uid}", True,
                               item.deleted)
                         for box, found in there.items() for item in found]
    for name, machine in world.machines.items():
        folders = {folder: plain(folder, boxes["server"]) for folder in maildir.folders(machine.root)}
        boxes[name] = set(folders.values())
        entries[name] = [Entry(folders[file.box], file.read(), file.letters, frozenset(), f"{file.part}/{file.name}", False)
                         for file in maildir.files(machine.root, folders)]
    return entries, boxes


def plain(folder, mailboxes):
    """The name of a folder's mailbox: what no folder can be called is written as "%XX"."""
    if folder in mailboxes:
        return folder
    name = re.sub("%([0-9A-Fa-f]{2})", lambda found: chr(int(found[1], 16)), folder)
    return name if name in mailboxes else folder


def mark(state):
    """What must not change any more."""
    entries, boxes = state
    return ({side: sorted((entry.box, entry.name, entry.letters, sorted(entry.keywords), entry.digest)
                          for entry in found) for side, found in entries.items()},
            {side: sorted(found) for side, found in boxes.items()})


def run_to_end(world, machine, options):
    """Runs, and on the next days again, until nothing is left for another one."""
    for _ in range(200):
        outcome = machine.run(f"{world.did:03}-quiet", options)
        if outcome.status is None or outcome.status < 0 or outcome.status not in (0, 1, 75):
            raise Failure("CRASH", None, f"{machine.name}: {outcome}")
        if "  daily-limit of " not in outcome.output:
            return
        machine.day += 1
    raise Failure("STUCK", None, f"{machine.name}: messages are left for another day again and again")


def quiet(world, model):
    """Runs until nothing changes; what both sides hold then."""
    limit = 4 if len(world.machines) == 1 else 6
    before = None
    for number in range(1, limit + 1):
        for machine in world.machines.values():
            world.did += 1
            options = ["--allow-mass-delete", "a/*"] if number > 1 else []
            if machine.is_damaged:
                options.append("--scan")
                machine.is_damaged = False
            run_to_end(world, machine, options)
        state = look(world)
        after = mark(state)
        if before == after and number > 2:
            return state
        before = after
    raise Failure("CHANGED", None, "a further run still changes something")


def statuses(world, model):
    """Problems that nothing explains; which mailboxes and folders each machine reports."""
    spoken = {}
    moved = {new + box[len(old):]: box for old, new in model.renames for box in model.side_only if box.startswith(old + "/")}
    for name, machine in world.machines.items():
        lines = re.findall("^magnum-sync: .*(?:\nhint: .*)?", machine.last.problems, re.MULTILINE)
        spoken[name] = set()
        if machine.last.status == 0:
            continue
        for line in lines:
            named = {box for box in set(model.side_only) | model.odd if names(line, box)}
            if not named:
                raise Failure("STUCK", None, f"{name}: status {machine.last.status}: {line}")
            spoken[name] |= named | {new for new, old in moved.items() if old in named}
        if not lines:
            raise Failure("STUCK", None, f"{name}: status {machine.last.status} without a word")
    return spoken


def names(line, box):
    """Whether a message is about a mailbox or folder; a tab is shown in some other way."""
    return re.search(r"(?<![\w-])" + re.escape(box.split("\t")[0]) + r"(?![\w-])", line) is not None


def judge(world, model):
    """The quiet runs and the judgement; afterwards the model begins anew from what is there."""
    state = quiet(world, model)
    entries, boxes = state
    if world.parts:
        world.parts.judge(world, model, entries)
        by_token = {side: collections.defaultdict(list) for side in entries}
        for side, found in entries.items():
            for entry in found:
                by_token[side][entry.token].append(entry)
        return begin_anew(model, by_token)
    set_apart(world, model, entries)
    by_token = {side: collections.defaultdict(list) for side in entries}
    for side, found in entries.items():
        for entry in found:
            by_token[side][entry.token].append(entry)
    for name in sorted(model.tokens, key=lambda word: int(word[1:])):
        judge_token(model, model.tokens[name], {side: by_token[side][name] for side in entries})
    spoken = statuses(world, model)
    compare_boxes(world, model, boxes, spoken)
    compare(world, model, entries, spoken)
    begin_anew(model, by_token)


def set_apart(world, model, entries):
    """Takes out the files that a run detached, with words, after one that was killed (rule 9)."""
    for name, machine in world.machines.items():
        apart = machine.apart if machine.was_killed else set()
        for entry in [entry for entry in entries[name] if entry.name.split("/")[1].split(":")[0] in apart]:
            entries[name].remove(entry)
            if entry.token in model.tokens:
                model.tokens[entry.token].tainted = True
        machine.was_killed = False


def show(model, token, there):
    """All that is known of a token, for people."""
    lines = [f"{side}: {found if found else 'nothing'}" for side, found in there.items()]
    for instance in token.instances:
        lines.append(f"was in {instance.base or 'made: ' + str(instance.born)} "
                     f"[{''.join(sorted(instance.letters))}], then {instance.events or 'nothing'}; "
                     f"may be in {sorted(map(str, model.outcome(token, instance).places))}")
    return "\n    ".join([""] + lines)


def judge_token(model, token, there):
    left = {box for box, sides in model.side_only.items() if "server" not in sides}
    left -= {entry.box for entry in there["server"]}
    touched = [item for item in token.instances if item.sides()]
    emptied = left & {item.base for item in touched}
    new = {name for item in touched if item.base is None and item.start for name in model.names(item.start)}
    # Rule 11: what lies in a folder whose mailbox was deleted is not counted, unless there is one of its name again.
    token.tainted |= any(entry.box in emptied | left & new for found in there.values() for entry in found)
    there = {side: [entry for entry in found if entry.box not in emptied] for side, found in there.items()}
    counts = {side: len(found) for side, found in there.items()}
    outcomes = [model.outcome(token, instance) for instance in token.instances]
    least = sum(NONE not in outcome.places for outcome in outcomes)
    if token.fuzzy:  # which of the copies was removed cannot be told
        removals = sum(event.kind in ("remove", "expunge") for item in token.instances for event in item.events)
        least = min(least, max(0, len(token.instances) - removals))
    most = sum(bool(outcome.places - {NONE}) + outcome.extra for outcome in outcomes)
    bases = {item.base for item in token.instances}
    renamed = any(item.sides("mutt") for item in token.instances)
    copied = any(item.born and (item.born.detail == "same" or renamed and item.born.detail == "new"
                                or item.born.kind == "copy" and item.born.to in bases)
                 for item in token.instances)
    token.fuzzy |= copied and any(len(item.sides(*PLACING)) > 1 for item in token.instances)  # which file is which
    text = show(model, token, there)
    if token.tainted:
        if least and not token.may_be_gone and not any(counts.values()):
            raise Failure("LOST", token.name, text)
        return
    if any(outcome.apart for outcome in outcomes):
        token.tainted = True
    if any(outcome.places & set(model.side_only) for outcome in outcomes):
        token.tainted = True
        if least and not any(counts.values()):
            raise Failure("LOST", token.name, text)
        return
    if max(counts.values()) < least:
        raise Failure("LOST", token.name, text)
    if any(count > most for count in counts.values()):
        if not is_sent_copy(token, there, most):
            raise Failure("DOUBLE", token.name, text)
        token.tainted = True
    if any(({item.base} | {box for event in item.events for box in (event.box, event.to)}) & set(model.side_only)
           for item in token.instances if item.events):
        token.tainted = True  # rule 11: its move may wait until the folder is there again
        return
    for found in there.values():
        for entry in found:
            if entry.revision != token.revision and entry.revision not in token.old_revisions or \
                    not entry.has(token.kind):
                raise Failure("STALE", token.name, "other octets" + text)
        if any(outcome.any_revision for outcome in outcomes):
            continue
        if any(entry.revision != token.revision for entry in found):
            raise Failure("STALE", token.name, text)
    if least and token.revision > 1 and not is_removed(token) and \
            not any(entry.revision == token.revision for found in there.values() for entry in found):
        raise Failure("STALE", token.name, "the latest text is nowhere" + text)
    if token.tainted:
        return
    if not token.fuzzy:
        for side, found in there.items():
            if found and not fits([entry.box for entry in found], outcomes):
                raise Failure("MISPLACED", token.name, f"on {side}" + text)
    if len(token.instances) == 1 and len(there["server"]) == 1:
        judge_flags(model, token, there["server"][0], text)


def judge_flags(model, token, entry, text):
    instance = token.instances[0]
    for letter in LETTERS:
        if (letter in entry.letters) not in model.flags(instance, letter):
            raise Failure("FLAGS", token.name, letter + text)
    words = set(entry.keywords) | instance.keywords
    words |= {event.detail[1:] for event in instance.events if event.kind == "keyword"}
    for word in sorted(words):
        if (word in entry.keywords) not in model.keyword(instance, word):
            raise Failure("FLAGS", token.name, word + text)


def is_removed(token):
    return any(instance.sides("remove", "expunge") for instance in token.instances)


def is_sent_copy(token, there, most):
    """Rule 10: files in Sent beyond the first."""
    if len(there["server"]) > most:
        return False
    return all(len(found) - sum(entry.box == "Sent" for entry in found) + 1 <= most for found in there.values())


def fits(boxes, outcomes):
    """Whether each message can be one of the instances, and each instance that must be there is."""
    slots = []
    for outcome in outcomes:
        slots.append((outcome.places - {NONE}, NONE not in outcome.places))
        slots += [(outcome.extra_places, False)] * outcome.extra
    taken = {}

    def place(index, seen):
        for number, (places, _) in enumerate(slots):
            if number in seen or boxes[index] not in places:
                continue
            seen.add(number)
            if number not in taken or place(taken[number], seen):
                taken[number] = index
                return True
        return False

    # Those that must be there are filled first by trying them first.
    slots.sort(key=lambda slot: not slot[1])
    return all(place(index, set()) for index in range(len(boxes)))


def compare_boxes(world, model, boxes, spoken):
    for name in world.machines:
        for box in sorted(boxes["server"] ^ boxes[name]):
            if box in spoken[name]:
                continue
            kind = "DISAGREE" if spoken[name] else "SILENT"
            where = "the server" if box in boxes["server"] else name
            raise Failure(kind, None, f"{box} is only on {where}")


def drop_sent_copies(model, here, there):
    """Rule 10: what a machine has in Sent beyond what the server has there of the same text.

    It is uploaded once the first is gone from there, so the judge does not follow the message any further.
    """
    for key, count in list(here.items()):
        box, token, revision, _ = key
        known = sum(number for other, number in there.items() if other[:3] == (box, token, revision))
        total = sum(number for other, number in here.items() if other[:3] == (box, token, revision))
        if box == "Sent" and known and total > known:
            here[key] -= min(count - there[key], total - known)
            model.tokens[token].tainted = True
            if not here[key]:
                del here[key]


def compare(world, model, entries, spoken):
    tainted = {token.name for token in model.tokens.values() if token.tainted}

    def table(side):
        return collections.Counter(
            (entry.box, entry.token, entry.revision, entry.letters) for entry in entries[side]
            if entry.token not in tainted and entry.box not in model.side_only
            and not any(entry.box in boxes for boxes in spoken.values()))

    there = table("server")
    for name in world.machines:
        here = table(name)
        drop_sent_copies(model, here, there)
        if here == there:
            continue
        differences = sorted(list((there - here).items()) + list((here - there).items()))
        token = differences[0][0][1]
        if token is None:
            raise Failure("DISAGREE", None, f"a message that the judge did not make: {differences}")
        text = f"only on the server: {sorted(there - here)}; only on {name}: {sorted(here - there)}"
        found = {side: [entry for entry in entries[side] if entry.token == token] for side in entries}
        raise Failure("DISAGREE" if spoken[name] else "SILENT", token, text + show(model, model.tokens[token], found))


def begin_anew(model, by_token):
    for name, token in list(model.tokens.items()):
        found = by_token["server"][name]
        token.has_moved |= any(item.sides(*PLACING, "edit") or item.born and item.born.side != "server"
                               for item in token.instances)
        if any(entry.is_deleted for entry in found):
            token.tainted = token.may_be_gone = True  # rule 13
        apart = set(model.side_only) | model.odd
        if any(entry.box in apart for side in by_token for entry in by_token[side][name]):
            token.tainted = True
        if token.tainted:
            everywhere = {side for side in by_token if by_token[side][name]}
            if not everywhere:
                del model.tokens[name]
            else:
                side = sorted(everywhere)[0]
                token.instances = [Instance(by_token[side][name][0].box, by_token[side][name][0].letters)]
            continue
        if not found:
            del model.tokens[name]
            continue
        token.instances = [Instance(entry.box, entry.letters, entry.keywords) for entry in found]
        token.fuzzy = False
        if len({entry.revision for entry in found}) > 1:
            token.tainted = True
        else:
            token.revision = found[0].revision
        token.old_revisions = {entry.revision for entry in found} - {token.revision}
    model.renames, model.rotations, model.ambiguous = [], set(), False
    model.renumbered, model.records_lost = set(), False
    model.disk_was_full, model.was_cut = False, False
    for token in model.tokens.values():
        token.restored = False
