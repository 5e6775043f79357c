"""Chooses the steps of a scene at random, from the seed and from what stands where."""
import random

import content
import maildir
from operations import NO_LETTERS, word_of

START = ["INBOX", "Work", "Lists/swift", "Archive", "Sent", "Drafts", "Trash", "Junk"]
FIXED = {"INBOX", "Sent", "Drafts", "Trash", "Junk", "Lists"}
ODD = ["50% off", ".dot", "tab\tx", "a b", "x:y", "a~", "&amp", "back\\slash", "star*"]
KEYWORDS = ["red", "$Label1", "project-x"]

# How often each is chosen; the second table is for things that make an epoch ambiguous or leave sides apart.
SERVER = {"append": 10, "move": 10, "copymove": 3, "copy": 3, "flag": 8, "keyword": 4, "expunge": 4, "trash": 4,
          "empty": 1.5, "create": 1.5, "rename": 2, "rotate": 1}
LOCAL = {"new": 8, "flag": 8, "move": 10, "mutt": 6, "copy": 4, "remove": 8, "edit": 6, "trash": 4, "rescue": 3,
         "draft": 4, "mkdir": 1.5, "rename": 2, "rotate": 1, "guard": 1}
HEAVY = {"validity": 4, "lose": 3, "flip": 3, "putback": 5, "save": 4, "rmfolder": 1, "delete": 1, "cpfolder": 1,
         "odd": 1}


def choose(rng, table):
    return rng.choices(list(table), list(table.values()))[0]


class Generator:
    def __init__(self, seed, world, model, without=(), watches=False):
        self.without, self.watches = set(without), watches
        self.is_parted = world.parts is not None
        self.rng = random.Random(seed)
        self.world, self.model = world, model
        self.count = 0
        self.recent = []
        self.saved = set()
        self.new_name = 0
        # One epoch in three has heavy things in it, so that the strict rules are judged often enough.
        self.heavy = False

    # What is there ---------------------------------------------------------------------------------------------------

    def boxes(self, side):
        if side == "server":
            names = self.world.client().mailboxes()
        else:
            names = maildir.folders(self.world.machines[side].root)
        return [name for name in names if name not in self.model.side_only and name not in self.model.odd]

    def messages(self, side):
        """Pairs of token and mailbox that may be chosen."""
        if side == "server":
            client = self.world.client()
            found = [(content.identify(message.octets)[0], box) for box in self.boxes(side)
                     for message in client.fetch(box, "BODY.PEEK[HEADER.FIELDS (SUBJECT)]")]
        else:
            root = self.world.machines[side].root
            found = [(content.identify(file.read())[0], file.box) for file in maildir.files(root, self.boxes(side))]
        return sorted({(token, box) for token, box in found
                       if token in self.model.tokens and not self.model.tokens[token].tainted})

    def token(self):
        self.count += 1
        return f"t{self.count}"

    def kind(self):
        if self.is_parted and self.rng.random() < 0.7:
            return self.rng.choice(content.PARTS)
        roll = self.rng.random()
        if roll < 0.12:
            return "nomid"
        if roll < 0.16 and self.count > 3:
            return f"mid=t{self.rng.randrange(1, self.count)}"
        return self.rng.choices(["plain", "8bit", "long"], [8, 1, 1])[0]

    def letters(self):
        return "".join(sorted(letter for letter, chance in (("S", 0.6), ("F", 0.2), ("R", 0.15), ("P", 0.1))
                              if self.rng.random() < chance)) or NO_LETTERS

    def change(self):
        return self.rng.choice("+-") + self.rng.choice("SSFFRP")

    def fresh_box(self):
        self.new_name += 1
        return self.rng.choice(["Box{}", "Lists/box{}", "Work/box{}", "New_{}"]).format(self.new_name).replace("_", " ")

    # Steps -----------------------------------------------------------------------------------------------------------

    def fill(self):
        """What every scene begins with."""
        lines = [f"server create {box}" for box in START if box not in FIXED]
        for _ in range(self.rng.randrange(6, 14)):
            box = self.rng.choice(["INBOX", "INBOX", "Work", "Lists/swift", "Archive", "Sent", "Drafts", "Trash", "Junk"])
            lines.append(f"server append {self.token()} {box} {self.letters()} {self.kind()}")
        return lines

    def step(self):
        line = self.any_step()
        while line and line.split(" ")[1] in self.without:
            line = self.any_step()
        return line

    def any_step(self):
        if self.is_parted and self.rng.random() < 0.08:
            return f"{self.rng.choice(list(self.world.machines))} limit {self.rng.choice(['on', 'off'])}"
        side = self.rng.choice(["server"] + list(self.world.machines) * 2)
        if self.heavy and self.rng.random() < 0.12:
            return self.heavy_step(side)
        return self.there() if side == "server" else self.here(side)

    def target(self, side, not_this=None):
        names = [name for name in self.boxes(side) if name != not_this]
        return word_of(self.rng.choice(names))

    def some(self, side, only=None):
        found = [pair for pair in self.messages(side) if only is None or pair[1] in only]
        # What was touched lately is chosen more often: trouble comes of two things that happen to one message.
        recent = [pair for pair in found if pair[0] in self.recent]
        if recent and self.rng.random() < 0.5:
            found = recent
        if not found:
            return None, None
        pair = self.rng.choice(found)
        self.recent = ([pair[0]] + self.recent)[:4]
        return pair

    def there(self):
        verb = choose(self.rng, SERVER)
        if verb == "append":
            return f"server append {self.token()} {self.target('server', 'Drafts')} {self.letters()} {self.kind()}"
        if verb == "create":
            return f"server create {word_of(self.fresh_box())}"
        if verb == "empty":
            return f"server empty {self.rng.choice(['Trash', 'Trash', 'Junk'])}"
        if verb in ("rename", "rotate"):
            return self.rename("server", verb)
        token, box = self.some("server")
        if not token:
            return None
        what = f"{token} {word_of(box)}"
        if verb in ("move", "copymove"):
            return f"server {verb} {what} {self.target('server', box)}"
        if verb == "copy":
            return None if box == "Drafts" else f"server copy {what} {self.target('server', box)}"
        if verb == "flag":
            return f"server flag {what} {self.change()}"
        if verb == "keyword":
            return f"server keyword {what} {self.rng.choice('++-')}{self.rng.choice(KEYWORDS)}"
        if verb == "trash":
            return None if box == "Trash" else f"server move {what} Trash"
        return f"server expunge {what}"

    def rename(self, side, verb):
        names = [name for name in self.boxes(side) if name not in FIXED]
        if not names:
            return None
        old = self.rng.choice(names)
        self.new_name += 1
        return f"{side} {verb} {word_of(old)} {word_of(old)}-{self.new_name}"

    def here(self, side):
        verb = choose(self.rng, LOCAL)
        rng = self.rng
        if not self.boxes(side):
            return None
        if verb == "new":
            return f"{side} new {self.token()} {self.target(side, 'Drafts')} {self.letters()} {self.kind()}"
        if verb == "draft":
            return f"{side} new {self.token()} Drafts {rng.choice(['D', 'DS', 'S'])} {rng.choice(['plain', 'nomid'])}"
        if verb == "mkdir":
            return f"{side} mkdir {word_of(self.fresh_box())}"
        if verb in ("rename", "rotate"):
            return self.rename(side, verb)
        if verb == "guard":
            return f"{side} guard {self.target(side)} {rng.choice(['there', 'here'])}"
        token, box = self.some(side, {"edit": {"Drafts"}, "rescue": {"Trash", "Junk"}}.get(verb))
        if not token:
            return None
        what = f"{token} {word_of(box)}"
        if verb == "edit":
            if len(self.model.tokens[token].instances) > 1:
                return None
            return f"{side} edit {what} {rng.choice(['inplace', 'replace', 'new'])}"
        if verb in ("move", "mutt"):
            return f"{side} {verb} {what} {self.target(side, box)}"
        if verb == "rescue":
            return f"{side} {rng.choice(['move', 'mutt'])} {what} {self.target(side, box)}"
        if verb == "trash":
            return None if box == "Trash" else f"{side} {rng.choice(['move', 'mutt'])} {what} Trash"
        if verb == "copy":
            how = rng.choice(["same", "new"])
            to = self.target(side, box if how == "same" else None)
            if box == "Drafts" or to in ("Sent", "Drafts"):
                return None
            return f"{side} copy {what} {to} {how}"
        if verb == "flag":
            return f"{side} flag {what} {self.change()}"
        return f"{side} remove {what}"

    def heavy_step(self, side):
        rng = self.rng
        verb = choose(rng, HEAVY)
        machine = rng.choice(list(self.world.machines))
        if verb == "validity":
            return f"server validity {self.target('server')}"
        if verb == "lose":
            return f"{machine} lose {rng.choice(['maps', 'maps', 'summary', 'all'])}"
        if verb == "flip":
            return f"{machine} flip {rng.randrange(10**6)}"
        if verb == "save":
            self.saved.add(machine)
            return f"{machine} save b"
        if verb == "putback":
            what = rng.choice(["state", "all", "map:" + self.target(machine)])
            return f"{machine} putback b {what}" if machine in self.saved else None
        if verb == "odd":
            self.new_name += 1
            return f"{machine} odd {word_of(rng.choice(ODD))}{self.new_name} {self.token()}"
        names = [name for name in self.boxes("server" if verb == "delete" else machine) if name not in FIXED]
        if not names:
            return None
        box = word_of(rng.choice(names))
        if verb == "delete":
            return f"server delete {box}"
        if verb == "rmfolder":
            return f"{machine} rmfolder {box}"
        self.new_name += 1
        return f"{machine} cpfolder {box} {box}-copy{self.new_name}"

    def sync(self):
        rng = self.rng
        if self.watches and rng.random() < 0.5:
            return self.watch()
        machine = rng.choice(list(self.world.machines))
        line = f"{machine} sync"
        roll = rng.random()
        if roll < 0.30:
            line += f" fault={int(2 ** rng.uniform(1, 9.5))}"
        elif roll < 0.36:
            line += f" kill={rng.randrange(2, 120)}"
        elif roll < 0.39:
            line += f" term={rng.randrange(2, 120)}"
        elif roll < 0.45:
            line += f" cut={int(2 ** rng.uniform(7, 14))}"
        elif roll < 0.49:
            line += f" error={int(2 ** rng.uniform(0, 8))}{rng.choice(['', '+'])}:ENOSPC"
        elif roll < 0.51:
            line += " scan"
        if rng.random() < 0.3:
            after = 0
            for _ in range(rng.randrange(1, 4)):
                step = self.there() if rng.random() < 0.6 else self.here(rng.choice(list(self.world.machines)))
                if step and step.split(" ")[1] not in self.without:
                    after += rng.randrange(1, 40)
                    line += f" | {after} {step}"
        return line

    def watch(self):
        """A watch, and what is done while it is up: at once, or so that it has seen what was done before."""
        rng = self.rng
        machine = rng.choice(list(self.world.machines))
        line = f"{machine} watch {rng.choice(['term', 'term', 'kill'])}={rng.choice([rng.randrange(2, 400), 1500])}"
        roll = rng.random()
        if roll < 0.15:
            line += f" fault={int(2 ** rng.uniform(3, 11))}"
        elif roll < 0.2:
            line += f" error={int(2 ** rng.uniform(2, 9))}{rng.choice(['', '+'])}:ENOSPC"
        after = 0
        for _ in range(rng.randrange(1, 6)):
            after += rng.choice([rng.randrange(1, 40), rng.randrange(40, 700), 1400])
            if rng.random() < 0.15:
                step = f"{rng.choice(list(self.world.machines))} sync"
            else:
                step = self.there() if rng.random() < 0.5 else self.here(rng.choice(list(self.world.machines)))
            # The deletion guard is judged by a run that a person makes.
            if step and step.split(" ")[1] not in self.without | {"guard"}:
                line += f" | {after} {step}"
        return line
