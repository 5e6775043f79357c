"""A scene: a set of capabilities, a number of machines and a list of steps; it is played, generated and shrunk."""
import os
import random
import shutil
import traceback

import generator
import operations
import parts
import verdict
from model import Model
from program import Machine


class Scene:
    def __init__(self, steps, caps="full", machines=1, title=""):
        self.steps, self.caps, self.machines, self.title = steps, caps, machines, title
        self.faults = None

    @staticmethod
    def read(path):
        scene = Scene([])
        with open(path) as file:
            for line in file.read().splitlines():
                if line.startswith("# caps: "):
                    scene.caps = line[8:]
                elif line.startswith("# machines: "):
                    scene.machines = int(line[12:])
                elif line.startswith("# faults: "):
                    # From, to, step: the scene is played with each fault point in the place of a "%".
                    scene.faults = range(*map(int, line[10:].split()))
                elif line.startswith("# ") and not scene.title:
                    scene.title = line[2:]
                elif line and not line.startswith("#"):
                    scene.steps.append(line)
        return scene

    def variants(self):
        """The scene with each of its fault points; just itself where it has none."""
        if self.faults is None:
            return [self]
        return [Scene([line.replace("%", str(point)) for line in self.steps], self.caps, self.machines,
                      f"{self.title}, fault point {point}") for point in self.faults]

    def write(self, path):
        with open(path, "w") as file:
            file.write("".join(f"{line}\n" for line in
                               [f"# {self.title}", f"# caps: {self.caps}", f"# machines: {self.machines}"] + self.steps))


class Player:
    """Plays scenes, each for a user of its own on the one server."""

    def __init__(self, server, program, folder, without=(), watches=False):
        self.server, self.program, self.folder, self.without = server, program, folder, set(without)
        self.watches = watches
        self.count = 0

    def open(self, caps, machines):
        self.count += 1
        user = f"u{self.count}"
        keep = f"{self.folder}/{user}"
        os.makedirs(keep)
        address = self.server.addresses[caps]
        homes = [Machine(f"m{number + 1}", keep, self.program, user, address, self.server.port, keep)
                 for number in range(machines)]
        world = operations.World(self.server, user, homes, keep)
        if Machine.is_parted:
            world.parts = parts.Parts(verdict.Failure)
        self.server.prepare(world.client())
        return world, Model([home.name for home in homes], caps)

    def close(self, world):
        world.disconnect()
        self.server.discard(world.user)

    def discard(self, world):
        shutil.rmtree(world.keep, ignore_errors=True)

    def play(self, scene):
        """Plays a scene; returns the failure, if there is one, and where the program's output lies."""
        world, model = self.open(scene.caps, scene.machines)
        failure = self.guard(world, lambda: self.steps(world, model, scene.steps))
        return failure, world

    @staticmethod
    def steps(world, model, steps):
        for line in steps + ([] if steps and steps[-1] == "judge" else ["judge"]):
            if line == "judge":
                verdict.judge(world, model)
            else:
                operations.perform(world, model, line)

    def guard(self, world, body):
        try:
            body()
        except verdict.Failure as failure:
            return failure
        except operations.Unguarded as failure:
            return verdict.Failure("GUARD", None, str(failure))
        except operations.Fallen as failure:
            return verdict.Failure("CRASH", None, str(failure))
        except Exception:  # the judge's own mistake must not pass for a verdict
            return verdict.Failure("HARNESS", None, traceback.format_exc())
        finally:
            self.close(world)
        return None

    def chance(self, seed, caps, machines):
        """A scene made from a seed while it is played."""
        rng = random.Random(f"{seed} scene")
        machines = machines or rng.choice([1, 1, 2])
        world, model = self.open(caps, machines)
        maker = generator.Generator(f"{seed} steps", world, model, self.without, self.watches)
        scene = Scene([], caps, machines, f"seed {seed}")

        def do(line):
            if not line:
                return
            scene.steps.append(line)
            if line == "judge":
                verdict.judge(world, model)
            else:
                operations.perform(world, model, line)

        def body():
            for line in maker.fill():
                do(line)
            do("judge")
            for _ in range(rng.choice([1, 2, 2, 3])):
                maker.heavy = rng.random() < 0.35
                for _ in range(rng.randrange(3, 12)):
                    do(maker.step())
                    if rng.random() < 0.25:
                        do(maker.sync())
                    if rng.random() < 0.01:
                        do("wait")
                do(maker.sync())
                do("judge")

        return scene, self.guard(world, body), world

    # Shrinking ---------------------------------------------------------------------------------------------------------

    def shrink(self, scene, kind, tries=200):
        """The shortest list of steps that still ends in the same kind of failure (delta debugging)."""
        left, last = [tries], []

        def fails(steps):
            if left[0] <= 0:
                return False
            left[0] -= 1
            failure, world = self.play(Scene(steps, scene.caps, scene.machines))
            self.discard(world)
            if failure is None or failure.kind != kind:
                return False
            last.append(failure)
            return True

        steps = scene.steps
        # Where a signal or another client has to come at the right moment, the first attempt may miss it.
        if not any(fails(steps) for _ in range(3)):
            return None
        size = max(1, len(steps) // 2)
        while True:
            changed, start = False, 0
            while start < len(steps):
                shorter = steps[:start] + steps[start + size:]
                if shorter and fails(shorter):
                    steps, changed = shorter, True
                else:
                    start += size
            if size > 1:
                size = size // 2
            elif not changed or left[0] <= 0:
                break
        steps = self.simpler(steps, fails)
        result = Scene(steps, scene.caps, scene.machines, scene.title)
        if scene.machines > 1 and not any(line.startswith("m2 ") for line in steps):
            failure, world = self.play(Scene(steps, scene.caps, 1))
            self.discard(world)
            if failure and failure.kind == kind:
                result.machines = 1
        result.failure = last[-1]
        return result

    @staticmethod
    def simpler(steps, fails):
        """Runs without their trouble where that fails all the same."""
        for index, line in enumerate(steps):
            if line.split(" ")[1:2] not in (["sync"], ["watch"]):
                continue
            parts = line.split(" | ")
            plain = " ".join(parts[0].split(" ")[:2 if " sync" in parts[0] else 3])
            for shorter in [plain] + [" | ".join([plain] + parts[1:])] + \
                    [" | ".join(parts[:number] + parts[number + 1:]) for number in range(1, len(parts))]:
                candidate = steps[:index] + [shorter] + steps[index + 1:]
                if shorter != line and fails(candidate):
                    steps = candidate
                    break
        return steps
