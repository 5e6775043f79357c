"""What the judge knows: which messages there are, what was done to them, and what may have become of them.

The rules of the manual, magnum-sync(1), that it knows:

 1. A message that nobody touches stays where it is, once, with its octets, flags and keywords, on every side.
 2. What one side alone does travels: new messages, flags, moves (under the same name, or under a new one with the same
    content, as mutt makes them), copies, folders made and renamed. The result is exactly what that side has.
 3. A removed file sends its message to Trash; out of Trash and Drafts it goes for good. What the server expunges is
    removed here. A removal against \\Flagged on the other side: the message may stay or come back.
 4. Both sides moved it: one of the places, the server's as a rule. Never both, never none; but where the disk is full
    when a run meets the two, it may be both. So it may where a server without MOVE had copied it when a run was killed:
    what another client then does with one of the two is done to that one. A copy that was made here counts as moved
    there where another one was removed here (rule 10).
 5. A message that a person moved here while the server removed it for good is kept and uploaded to its new place; so is
    one that was rescued out of Trash or Junk while the server empties that mailbox.
 6. Removed for good on one side, moved or edited or flagged on the other: either is right, save for rule 5.
 7. Flags merge per flag; a flag that two sides touched may end either way.
 8. A draft written anew in its place, or under another name, replaces the message; the new text is never lost. Where
    another side changed the draft meanwhile, the old text may stay beside it. So may, in Trash, that of a message
    that was moved and became a draft under another name. A message that is no draft is not written anew in its
    place: one that was, while it lay in Drafts between two runs, is not followed.
 9. A file that a run fetched that was killed then, and whose message was gone before the next one, is detached,
    with words; one that was removed before the next one is fetched again, also where it has another name by then.
    UIDVALIDITY changed, state lost, damaged or put back, Maildir put back: what was settled is matched
    again and stays as it is; damage is found where a map is read, at the latest with --scan, which the first quiet run
    has then. A file moved under its own name still counts as moved where that tells its mailbox, but not where it is
    moved in the midst of the run that matches again, and a new file or message is there once. A removal that had not
    travelled may be undone. A file whose message had been removed or moved on the server may stay as a file that is no
    longer synced ("detached"), which the judge does not follow any further. So may those of a mailbox that was renamed
    meanwhile, and its folder may stay under the old name, with words. A folder that is renamed in the midst of a run, and
    another one made in its place, may count as moves of all that is in it (rule 5).
10. Copies of one message are as many as were made. A copy and the removal of its original are a move, unless a run saw
    the copy before. A copy that meets the same message coming from another side in the same folder may be that message.
    So may one be the original that is made under its name where a run that was killed had moved it from.
    In Sent a second file of one text is not uploaded while the first is there; once that is gone it is.
11. A folder that was removed here, or whose mailbox was deleted on the server, stays on the other side, and every run
    says so with status 1. What was moved out of it before may stay where it was on the other side, but is not doubled
    on the server. A name that cannot be mirrored is reported in the same way.
12. The deletion guard blocks removals; the quiet runs let them through with --allow-mass-delete.
13. Without MOVE what was copied while it was marked as deleted has the mark on both sides from then on, and goes for good
    where it comes to Trash or Drafts ("expunge"): the judge does not follow it any further.
14. After the quiet runs all sides are the same, the status is 0 but for rule 11, and a further run changes nothing.

Not in the model: \\Deleted and T, Junk's own rules, modified UTF-7, layout maildir++, mbsync in turn (it doubles by itself
what another program fetched).
"""

PURGING = ("Trash", "Drafts")
PLACING = ("move", "mutt", "remove", "expunge")
LETTERS = "SFRDP"
NONE = None


class Event:
    """Something that was done to one message: kind, side, mailbox, target."""

    def __init__(self, kind, side, box, to=None, detail=None):
        self.kind, self.side, self.box, self.to, self.detail = kind, side, box, to, detail
        self.in_run = False  # while a run was at work
        self.run = 0         # the runs before it

    def __repr__(self):
        return f"{self.side} {self.kind} {self.box}" + (f" -> {self.to}" if self.to else "")


class Instance:
    """One message: where it was when all sides agreed (nothing for a new one), and what happened since."""

    def __init__(self, base, letters, keywords=frozenset(), born=None):
        self.base, self.letters, self.keywords = base, set(letters), set(keywords)
        self.born = born  # the event that made it
        self.start = base if base is not None else born.to
        self.at = {}
        self.events = []
        self.flags_known = True

    def place_on(self, side):
        return self.at.get(side, self.start if self.base is not None or side == self.born.side else None)

    def visited(self):
        """Where it was at some time, but for where it began."""
        return {box for event in self.events for box in (event.box, event.to) if box is not None}

    def sides(self, *kinds):
        return {event.side for event in self.events if not kinds or event.kind in kinds}


class Token:
    def __init__(self, name, kind):
        self.name, self.kind, self.revision = name, kind, 1
        self.instances = []
        self.fuzzy = False    # copies of it were changed in ways that cannot be told apart
        self.tainted = False  # only its existence is judged from now on
        self.may_be_gone = False
        self.has_moved = False  # before, or was written here: the name of its file need not tell where it is
        self.restored = False  # an older copy of it was put back on a machine
        self.old_revisions = set()


class Outcome:
    """What may become of an instance."""

    def __init__(self, places, extra=0, extra_places=(), apart=False):
        self.places, self.extra, self.extra_places, self.apart = places, extra, set(extra_places), apart
        self.any_revision = False


class Model:
    def __init__(self, machines, caps="full"):
        self.has_move = caps not in ("bare", "nomove", "courier")
        self.sides = ["server"] + machines
        self.tokens = {}
        self.runs = 0
        self.ambiguous = False   # state lost, UIDVALIDITY changed, backup put back: rule 9
        self.renames = []        # (old, new) on any side in this epoch
        self.records_lost = False  # lost, damaged or put back
        self.disk_was_full = False
        self.was_cut = False     # a run was ended early in this epoch
        self.renumbered = set()  # the mailboxes whose UIDVALIDITY changed in this epoch
        self.rotations = set()   # what was rotated here while a run was at work
        self.side_only = {}      # mailbox or folder -> the sides where it still is
        self.odd = set()         # names of folders that may be refused, with words
        self.in_run = False
        self.since = {}          # machine -> the tokens to which something was done since its backup

    # Events -----------------------------------------------------------------------------------------------------

    def new(self, name, kind, side, box, letters, keywords=()):
        token = self.tokens.get(name) or Token(name, kind)
        self.tokens[name] = token
        token.instances.append(Instance(None, letters, keywords, Event("new", side, None, box)))
        self.touch(name)

    def touch(self, name):
        for tokens in self.since.values():
            tokens.add(name)

    def copy(self, name, side, box, to, letters, keywords, detail=None):
        token = self.tokens[name]
        instance = Instance(None, letters, keywords, Event("copy", side, box, to, detail))
        instance.flags_known = False
        token.instances.append(instance)
        self.touch(name)

    def resolve(self, name, side, box):
        """The instance that stands in a mailbox or folder of a side."""
        token = self.tokens[name]
        if len(token.instances) == 1:
            return token, token.instances[0]
        fitting = [item for item in token.instances if item.place_on(side) == box]
        if len(fitting) != 1 or any(item.events for item in token.instances):
            token.fuzzy = True
        # A run may have brought there what another side put there, and has taken away since.
        brought = [item for item in token.instances if box in {item.start, *item.visited()}]
        return token, (fitting or brought or token.instances)[0]

    def event(self, name, kind, side, box, to=None, detail=None):
        token, instance = self.resolve(name, side, box)
        event = Event(kind, side, box, to, detail)
        event.in_run, event.run = self.in_run, self.runs
        token.tainted |= kind in PLACING and self.is_back_unseen(instance, side, to)
        instance.events.append(event)
        self.touch(name)
        if kind in PLACING:
            instance.at[side] = to
        if kind == "edit":
            token.old_revisions.add(token.revision)
            token.revision += 1
        return token

    @staticmethod
    def is_back_unseen(instance, side, to):
        """Whether a file is back where a run may have seen it, and was edited in between: under its name it is the same to a
        run, which looks at texts only in Drafts, and there at those that are new files."""
        if to is None or to not in {instance.start} | instance.visited():
            return False
        edits = {event.detail for event in instance.events if event.kind == "edit" and event.side == side}
        return to == instance.start and "inplace" in edits or to != "Drafts" and "replace" in edits

    def ran(self):
        """A run began: what stands where cannot be told any more for copies that were touched."""
        self.runs += 1
        for token in self.tokens.values():
            if len(token.instances) > 1 and any(item.events or item.base is None for item in token.instances):
                token.fuzzy = True

    # What may have become of it -------------------------------------------------------------------------------------

    def chain(self, instance, side):
        """Where an instance ends by what one side did with it."""
        events = [event for event in instance.events if event.side == side and event.kind in PLACING]
        last = events[-1]
        if last.kind in ("move", "mutt"):
            return {last.to}
        if last.kind == "expunge":
            return {NONE}
        if len(events) == 1 and instance.base is not None:
            return {NONE} if last.box == instance.base and last.box in PURGING else \
                {"Trash"} if last.box == instance.base and last.box not in PURGING else {NONE, "Trash"}
        seen = {event.box for event in events} | {instance.base}
        return {NONE, "Trash"} if instance.base is None or seen & set(PURGING) else {"Trash"}

    def places(self, instance):
        placing = [event for event in instance.events if event.kind in PLACING]
        if not placing:
            return {instance.start}
        sides = {event.side for event in placing}
        places = set()
        for side in sides:
            places |= self.chain(instance, side)
        removals = [event for event in placing if event.kind in ("remove", "expunge")]
        for removal in removals:
            others = [event for event in instance.events if event.side != removal.side]
            saving = ("edit", "flag", "keyword") if removal.box in PURGING or removal.kind == "expunge" else ("edit",)
            if any(event.kind in saving or event.kind == "flag" and event.detail == "+F" for event in others):
                places |= {instance.start, removal.box}
        if self.was_cut and NONE in places:
            # The run that took a file after its message was stopped: where the message is gone since, the file counts
            # as kept (rule 5).
            places |= {event.to for event in placing if event.side == "server" and event.kind == "move"}
        if self.was_cut:
            places |= {event.box for event in placing if event.kind == "remove" and self.is_unrecorded(instance, event)}
        if instance.base is None and self.was_cut and instance.born.side != "server":
            places.add(instance.start)  # what of an upload that was cut short was removed is uploaded again
        if NONE in places and len(sides) > 1 and self.is_kept(instance, placing, sides):
            places.discard(NONE)
        if len(sides) > 1 and any(event.side != "server" and event.kind == "remove" for event in placing):
            places.add("Trash")
        return places

    def is_unrecorded(self, instance, event):
        """Whether a run fetched the file in this epoch, which may have been stopped before it wrote that down."""
        own = [other for other in instance.events[:instance.events.index(event)] if other.side == event.side]
        was_here = instance.base == event.box or instance.base is None and instance.born.side == event.side
        return (self.was_cut and event.side != "server" and event.kind in ("remove", "mutt")
                and not was_here and not any(other.to == event.box for other in own))

    def is_exchanged(self, instance, other):
        """Files of one name are the same file to a program: a copy that took the place of its original, in a move or by
        being made there, stands for it.

        A run that was stopped may have moved the original after the server."""
        side = instance.born.side
        movers = other.sides("move", "mutt")
        in_place = (instance.born.to == other.start
                    and (side in movers or self.was_cut and "server" in movers))
        return (instance.born.detail == "same" and (instance.sides("move") == {side} or in_place)
                and instance.place_on(instance.born.side) == other.start and other.sides(*PLACING) - {instance.born.side})

    def with_copies(self, token, instance, places):
        """What rule 10 adds for a message of which there are copies."""
        others = [item for item in token.instances if item is not instance]
        copiers = {item.born.side for item in others if item.born and item.born.kind == "copy"}
        if instance.sides("remove", "expunge") & copiers:
            return {NONE}
        if instance.born and instance.born.kind == "copy":
            for other in others:
                sides = other.sides(*PLACING) | ({other.born.side} if other.born else set())
                visited = self.places(other) | {event.to for event in other.events if event.to}
                visited = {name for place in visited if place for name in self.names(place)}
                # They may have met before the copy went on.
                met = visited & (places | {instance.start} | instance.visited())
                if sides - {instance.born.side} and met or self.is_exchanged(instance, other):
                    return {NONE}
        return set()

    @staticmethod
    def is_raced(instance):
        """Two clients moved it at one moment: Dovecot's MOVE copies, then expunges, and both copies may be made."""
        # What is gone from where a flag was set is kept there (rule 6), though it was fetched where it went.
        return (any(event.side == "server" and event.kind == "move" and event.in_run for event in instance.events)
                and any(event.side != "server" and (event.kind in PLACING or event.detail == "+F")
                        for event in instance.events))

    @staticmethod
    def is_kept(instance, placing, sides):
        """Rule 5: one machine moved it out of where the server removed it for good."""
        machines = sides - {"server"}
        there = [event for event in placing if event.side == "server"]
        here = [event for event in placing if event.side != "server"]
        return (len(machines) == 1 and all(event.kind == "expunge" for event in there)
                and all(event.kind in ("move", "mutt") for event in here)
                and {event.box for event in there} == {instance.base}
                and instance.base not in {event.to for event in here})

    def renamed(self, place, is_certain):
        """The names that a mailbox or folder may have by now; certain ones followed the only rename there was."""
        if place is NONE or not self.renames:
            return {place}
        # Where both sides renamed it, the server's name counts.
        found = {place} | {other for old, new in self.renames for before, other in self.renames
                           if old == before and place == new}
        if self.was_cut and len(self.renames) > 1:
            found |= self.names(place)  # a rename that a killed run had carried out is the server's
        while True:
            more = {new + name[len(old):] for old, new in self.renames for name in found
                    if name == old or name.startswith(old + "/")} - found
            if not more:
                break
            found |= more
        if is_certain and len(self.renames) == 1 and len(found) > 1:
            found.discard(place)
        return found

    def names(self, box):
        """All names that a mailbox or folder had or has, on any side."""
        found = {box}
        while True:
            more = {other + name[len(one):] for rename in self.renames for one, other in (rename, rename[::-1])
                    for name in found if name == one or name.startswith(one + "/")} - found
            if not more:
                return found
            found |= more

    def outcome(self, token, instance):
        places = self.places(instance)
        if len(token.instances) > 1:
            places |= self.with_copies(token, instance, places)
        quiet = not instance.events and instance.base is not None
        names = set()
        for place in places:
            names |= self.renamed(place, quiet)
        if instance.start in self.rotations and instance.events:
            names |= self.names(instance.start)
        result = Outcome(names)
        result.any_revision = bool(instance.sides("edit")) and \
            (bool(instance.sides("remove", "expunge")) or len(instance.sides()) > 1 or self.ambiguous)
        edits = instance.sides("edit")
        others = instance.sides() - edits if len(edits) == 1 else instance.sides()
        if edits and (others or len(edits) > 1):
            result.extra += len([event for event in instance.events if event.kind == "edit"])
            result.extra_places |= {place for place in names | {instance.start, "Trash"} if place}
            result.extra_places |= {event.to for event in instance.events if event.to}
        elif edits and instance.sides(*PLACING) and (self.was_cut or self.disk_was_full):
            result.extra += 1  # the old text may have reached a place on the way
            result.extra_places |= {event.to for event in instance.events if event.to} | {instance.start, "Trash"}
            result.any_revision = True
        # Without a Message-ID nothing tells that a file which went elsewhere is another text of the message.
        is_new_file = (
            token.kind == "nomid"
            or instance.sides("mutt")
            or any(event.detail in ("replace", "new") for event in instance.events)
        )
        if edits and instance.sides("mutt", "move") and is_new_file:
            result.extra += 1
            result.extra_places.add("Trash")
            result.any_revision = True
        for event in instance.events:
            if event.kind == "mutt" and self.is_unrecorded(instance, event):
                result.extra += 1
                result.extra_places.add(event.box)
        if len(token.instances) > 1 and any(event.kind == "mutt" for event in instance.events):
            result.extra += 1
            result.extra_places.add("Trash")
        is_half_done = self.disk_was_full or self.was_cut and not self.has_move
        is_moved = len(instance.sides(*PLACING)) > 1 or self.replaces_removed(token, instance)
        if self.is_raced(instance) or is_half_done and is_moved:
            races = [event for event in instance.events if event.side == "server" and event.kind == "move" and event.in_run]
            result.extra += max(1, len(races))
            result.extra_places |= {place for place in names if place}
            result.extra_places |= {event.to for event in instance.events if event.to} | {instance.start} - {None}
        boxes = {instance.start} | {event.to for event in instance.events if event.to}
        is_lost = any(len(self.renamed(box, False)) > 1 for box in boxes)  # nothing tells what was renamed
        if self.ambiguous and (token.restored or is_lost or not self.is_plain(token, instance)):
            for event in instance.events:
                for place in (event.box, event.to):
                    result.places |= self.renamed(place, False) if place else set()
            if instance.start:
                result.places |= self.renamed(instance.start, False)
            result.places.add("Trash")
            result.extra += 1 + len(instance.events)
            result.extra_places |= {place for place in result.places if place}
            result.apart = True
            result.any_revision |= token.restored
        result.extra_places |= {name for place in result.extra_places for name in self.renamed(place, False)}
        return result

    @staticmethod
    def replaces_removed(token, instance):
        """Whether it is a copy that a machine made and the server moved on, and the machine removed another one."""
        if not instance.born or instance.born.kind != "copy" or instance.born.side == "server":
            return False
        others = [item for item in token.instances if item is not instance]
        return "server" in instance.sides(*PLACING) and any(
            instance.born.side in item.sides("remove", "expunge") for item in others)

    def is_plain(self, token, instance):
        """Whether rule 9 leaves nothing open for it: untouched, new, or moved under its name on one machine."""
        if instance.born and instance.born.detail == "same":
            return False
        placing = [event for event in instance.events if event.kind in PLACING + ("edit",)]
        if instance.base is None:
            return not placing
        if placing and self.records_lost and (
                instance.start in self.renumbered or instance.start in self.side_only):
            return False  # neither the records nor the name of the file tell where it was
        if placing and self.records_lost and self.was_cut and not self.has_move:
            return False  # nothing tells any more that it was copied for a move, and was to go
        if placing and (token.has_moved or len({event.run for event in placing}) > 1):
            return False  # the name of the file tells where the message was at first
        if any(event.in_run for event in placing):
            return False  # one mailbox may have been matched before, the other after
        # To another machine a move is the server's.
        return not placing or (len(self.sides) == 2 and len({event.side for event in placing}) == 1
                               and all(event.kind == "move" and event.side != "server" for event in placing))

    def flags(self, instance, letter):
        """The values that a flag may have in the end."""
        touched = [event for event in instance.events if event.kind == "flag" and event.detail[1] == letter]
        known = letter in instance.letters
        if not instance.flags_known:
            return {True, False}
        if not touched:
            return {known}
        sides = instance.sides() | ({instance.born.side} if instance.born else set())
        last = touched[-1].detail[0] == "+"
        if self.ambiguous or len(sides) > 1 and len({event.side for event in touched}) > 1:
            return {True, False}
        if len(sides) > 1 and (instance.base is None or instance.sides(*PLACING)):
            return {True, False}
        if instance.sides("edit") and len(sides) > 1:
            return {True, False}  # set on the text that was replaced
        if instance.sides("remove") & {event.side for event in touched}:
            return {True, False}  # the file went with its flags before any run
        if instance.base is None and not last:
            return {True, False}  # the upload may have been under way with the flag
        return {last}

    def keyword(self, instance, word):
        touched = [event for event in instance.events if event.kind == "keyword" and event.detail[1:] == word]
        if not instance.flags_known or instance.sides("edit") or touched and instance.sides(*PLACING):
            return {True, False}
        if touched:
            return {touched[-1].detail[0] == "+"}
        return {word in instance.keywords}

    def forget_local(self, machine):
        """A backup of the whole Maildir was put back: what the machine did since may be undone."""
        for name, token in self.tokens.items():
            is_older = name in self.since.get(machine, set())
            token.restored |= is_older
            if is_older:
                token.old_revisions.update(range(1, token.revision))
            # A file that was detached is known again, and that the server lost its message counts (rule 9).
            token.may_be_gone |= is_older and token.tainted
            for instance in token.instances:
                if machine in instance.sides() or instance.born and instance.born.side == machine:
                    token.tainted = token.may_be_gone = True
