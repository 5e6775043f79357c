"""What the judge knows of accounts with a size limit that is switched: no partial file ever reaches the server, and nothing
that was done to one takes the attachments of its message. Tests/RandomJudge/Parts.swift has the same."""
import content
import maildir

MARK = b'access-type="x-magnum"'
TAKING = {"mark", "expunge", "empty"}    # steps that may take a message, whatever they find
REMOVING = {"remove", "edit"}            # steps on a machine that take a file, which counts if it is whole


class Parts:
    def __init__(self, fail):
        self.fail = fail
        self.held, self.edited, self.seen = set(), set(), 0

    def watch(self, world, line, perform):
        """Has a step done, and looks at what it changes."""
        words = line.split(" ")
        if words[0] == "wait" or words[1] in ("sync", "watch"):
            done = perform()
            for race in line.split(" | ")[1:]:
                self.note_race(race.split(" ")[1:])
            self.check(world)
            return done
        there, is_whole = self.tokens(world), self.is_whole(world, words)
        if words[1] == "guard" and words[-1] == "there":
            self.held.clear()
        if not perform():
            return False
        self.held -= there - self.tokens(world)
        if words[1] == "edit":
            self.edited.add(words[2])
        if words[0] == "server" and words[1] == "append" and words[-1] in content.PARTS:
            self.held.add(words[2])
        elif words[1] in TAKING or words[1] in REMOVING and is_whole:
            self.held.discard(words[2])
        if words[1] == "guard":
            self.check(world)
        return True

    def note_race(self, words):
        """A step in the midst of a run, of which it is not known what it found."""
        if words[1] in ("empty", "guard"):
            self.held.clear()
        elif words[1] in TAKING | REMOVING:
            self.held.discard(words[2])
        if words[1] == "edit":
            self.edited.add(words[2])

    @staticmethod
    def is_whole(world, words):
        machine = world.machines.get(words[0])
        if not machine or words[1] not in REMOVING:
            return False
        found = [file.read() for file in maildir.files(machine.root, maildir.folders(machine.root))]
        mine = [data for data in found if content.identify(data)[0] == words[2]]
        return bool(mine) and all(MARK not in data for data in mine)

    def check(self, world):
        """Judges after each run, also one that was killed."""
        there = set()
        for box, found in world.client().everything().items():
            for item in found:
                token = content.identify(item.octets)[0]
                there.add(token)
                if MARK in item.octets:
                    raise self.fail("LOST", token, f"{box} {item.uid} on the server is a partial file")
        here = set()
        for machine in world.machines.values():
            for file in maildir.files(machine.root, maildir.folders(machine.root)):
                data = file.read()
                if MARK in data:
                    self.seen += 1
                else:
                    here.add(content.identify(data)[0])
        for token in sorted(self.held - there - here):
            raise self.fail("LOST", token, "its attachments are nowhere")

    def judge(self, world, model, entries):
        """Judges when runs change nothing any more: where there is no limit, what the server has is whole in its place."""
        self.check(world)
        if model.ambiguous or model.side_only or model.odd or model.renames:
            return
        for name, machine in world.machines.items():
            if machine.is_limited:
                continue
            for entry in entries["server"]:
                if entry.token is None or entry.token in self.edited or entry.box == "Trash":
                    continue
                wanted = content.stored(entry.data)
                found = [item for item in entries[name] if item.token == entry.token and item.box == entry.box]
                if not any(item.data == wanted for item in found):
                    raise self.fail("DISAGREE", entry.token, f"{entry.box} on {name} has no whole file: {found}")

    @staticmethod
    def tokens(world):
        return {content.identify(item.octets)[0] for found in world.client().everything().values() for item in found}
