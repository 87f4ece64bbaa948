"""What a sound classifier hears in rendered strikes and demos, next to recordings of real ones.

    EARS=FOLDER scripts/realism

Renders a fixed list of strikes in groups (ceramic, bells, wood, glass, steel, plastic), a control
group of sums of ten decaying sines, and the demos. `EARS/judge --json` names each sound; a sound
counts when one of the group's words is among the first three labels. "Ding", "Ping" and "Clang"
never count: sums of sines get them, too. Recordings of the same kind are judged in the same way.

What is struck rests on a table, as in the recordings; bells hang, and doors and panes are mounted in
their frames. Strikes are rendered dry with `--physical`, which applies no limiter, and for 4 s, the length of
the recordings. The list follows from fixed seeds. A strike that cannot be rendered counts as not named.

FOLEY_MEASURED names a file for the figures, from which `foley-measured` writes MEASURED.md.

Written: table.md, table.json (every sound with its arguments and labels), realism.png, sounds/.
Sounds are rendered anew in each run; baked models are kept in cache/, separately for each program
by its SHA-256. The exit status is 0 also where targets are missed: the table says so.
"""

import argparse
import csv
import hashlib
import json
import math
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import matplotlib
import numpy as np
import soundfile

matplotlib.use("Agg")
import matplotlib.pyplot as plt

STRIKES = 30
SECONDS = 4.0
RATE = 48_000
# The judge listens to this much of a file.
PIECE_S = 10
NEVER = {"Ding", "Ping", "Clang"}
RAIN = ["Rain", "Raindrop", "Rain on surface", "Patter", "Crackle"]


def revolved(radius, height, low, high):
    """Places on a round object: any angle, heights between two shares of its height."""

    def place(rng, size):
        angle = rng.uniform(0, 2 * math.pi)
        z = (rng.uniform(low, high) - 0.5) * height
        return [size * x for x in (radius * math.cos(angle), radius * math.sin(angle), z)]

    return place


def flat(length, width, z=0.0):
    """Places on a flat object, up to 45 % of its length and width from the middle."""

    def place(rng, size):
        x, y = (rng.uniform(-0.45, 0.45) * side for side in (length, width))
        return [size * x, size * y, size * z]

    return place


MUG = revolved(0.042, 0.095, 0.1, 1.0)
BOWL = revolved(0.072, 0.065, 0.3, 1.0)
WOK = revolved(0.17, 0.095, 0.1, 1.0)
# From the lip to the waist.
BELL = revolved(0.080, 0.135, 0.0, 0.5)
WINE_GLASS = revolved(0.042, 0.190, 0.55, 1.0)
TABLE_TOP = flat(1.2, 0.7, 0.375)


def mesh(name, material, place, sizes, *options, held="resting"):
    """A built-in mesh; `sizes` is the range of factors on all lengths."""
    return {"target": name, "material": material, "place": place, "sizes": sizes, "options": options,
            "held": held}


def plate(length, width, thickness, material, edges="free"):
    """A rectangular plate, mm; with free edges it lies on a table, else it is built into a frame."""
    target = f"plate:{length}x{width}x{thickness}mm,edges={edges}"
    held = "resting" if edges == "free" else "mounted"
    return {"target": target, "material": material, "place": flat(length / 1e3, width / 1e3), "held": held}


def disc(diameter, thickness, material):
    """A round plate on a table, mm."""
    side = diameter / 1e3 / math.sqrt(2)
    target = f"disc:{diameter}x{thickness}mm"
    return {"target": target, "material": material, "place": flat(side, side), "held": "resting"}


# Each group: what is struck, with what, how fast (m/s), the words that count, the share that is
# the target, and the recordings of the same kind by material and part of the action.
GROUPS = {
    "ceramic": {
        "title": "ceramic cups and mugs",
        "objects": [
            mesh("mug", "ceramic", MUG, (0.75, 1.25)),
            mesh("mug", "porcelain", MUG, (0.75, 1.15), "--thickness", "3mm"),
            mesh("mug", "stoneware", MUG, (0.85, 1.3), "--thickness", "5mm"),
            mesh("bowl", "porcelain", BOWL, (0.55, 0.85), "--thickness", "4mm"),
            mesh("mug", "earthenware", MUG, (0.85, 1.25), "--thickness", "5mm"),
        ],
        "strikers": ["steel ball", "glass marble", "hard plastic", "drumstick", "fingernail", "wooden mallet"],
        "speeds": (0.2, 1.5),
        "words": ["Dishes, pots, and pans", "Chink, clink", "Cutlery, silverware", "Glass"],
        "target": 0.9,
        "real": [("ceramic", "")],
    },
    "bells": {
        "title": "bells",
        "objects": [
            mesh("bell", "bronze", BELL, (0.4, 3.0), held="hung"),
            mesh("bell", "brass", BELL, (0.4, 2.0), held="hung"),
            mesh("bell", "bronze", BELL, (0.6, 3.0), "--thickness", "6mm", held="hung"),
            mesh("bell", "steel", BELL, (0.4, 2.0), held="hung"),
        ],
        "strikers": ["steel ball", "wooden mallet", "hard plastic", "drumstick", "felt mallet"],
        "speeds": (0.4, 3.0),
        "words": ["Bell", "Church bell", "Bicycle bell", "Jingle bell", "Cowbell", "Chime", "Wind chime",
                  "Tubular bells", "Singing bowl", "Gong", "Change ringing (campanology)"],
        "target": 0.8,
        "real": [("", "bell")],
    },
    "wood": {
        "title": "wooden doors, tables and planks",
        "objects": [
            plate(600, 400, 20, "wood"),
            plate(2000, 800, 40, "softwood"),
            plate(1200, 700, 25, "beech", "supported"),
            plate(900, 150, 22, "pine"),
            mesh("table", "wood", TABLE_TOP, (0.6, 1.1), "--detail", "coarse"),
            plate(1950, 750, 38, "plywood", "supported"),
            plate(400, 250, 15, "maple"),
            plate(800, 600, 18, "particle-board", "supported"),
            plate(1200, 200, 27, "hardwood"),
            plate(500, 350, 12, "plywood", "clamped"),
        ],
        "strikers": ["knuckle", "wooden mallet", "knuckle", "wooden mallet", "drumstick"],
        "speeds": (0.4, 2.5),
        "words": ["Wood", "Wood block", "Knock", "Tap", "Thump, thud", "Thunk", "Chop", "Door"],
        "target": 0.7,
        "real": [("wood", "robot"), ("wood", "wood block"), ("wood", "log drum"), ("wood", "claves")],
    },
    "glass": {
        "title": "glass panes and glasses",
        "objects": [
            mesh("wine-glass", "crystal-glass", WINE_GLASS, (0.8, 1.2)),
            plate(300, 200, 4, "glass"),
            mesh("mug", "glass", MUG, (0.7, 1.2), "--thickness", "3mm"),
            plate(800, 500, 4, "soda-lime-glass", "clamped"),
            mesh("wine-glass", "soda-lime-glass", WINE_GLASS, (0.8, 1.2)),
            plate(600, 400, 6, "glass", "supported"),
            mesh("bowl", "borosilicate-glass", BOWL, (0.6, 1.4), "--thickness", "4mm"),
            disc(250, 5, "glass"),
        ],
        "strikers": ["fingernail", "steel ball", "glass marble", "hard plastic", "pebble", "drumstick"],
        "speeds": (0.2, 1.5),
        "words": ["Glass", "Chink, clink", "Shatter", "Breaking"],
        "target": 0.7,
        "real": [("glass", "")],
    },
    "steel": {
        "title": "steel bowls, pans and sheets",
        "objects": [
            mesh("bowl", "stainless-steel", BOWL, (0.8, 2.0), "--thickness", "1mm", "--detail", "fine"),
            mesh("wok", "steel", WOK, (0.6, 1.1), "--detail", "coarse"),
            plate(400, 300, 1, "steel"),
            mesh("bowl", "steel", BOWL, (0.8, 1.6), "--thickness", "2mm"),
            disc(280, 2, "stainless-steel"),
            plate(600, 400, 2, "steel"),
        ],
        "strikers": ["steel ball", "hard plastic", "drumstick", "wooden mallet", "fingernail", "pebble"],
        "speeds": (0.3, 2.0),
        "words": ["Dishes, pots, and pans", "Chink, clink", "Cutlery, silverware", "Bell", "Cowbell", "Gong",
                  "Singing bowl", "Clatter", "Hammer", "Steelpan", "Cymbal"],
        "target": None,
        "real": [("steel", "robot"), ("steel", "brake drum")],
    },
    "plastic": {
        "title": "polycarbonate cups and plates",
        "objects": [
            mesh("mug", "polycarbonate", MUG, (0.75, 1.25), "--thickness", "2mm"),
            disc(220, 2.5, "polycarbonate"),
            mesh("bowl", "polycarbonate", BOWL, (0.7, 1.5), "--thickness", "2mm", "--detail", "fine"),
            plate(300, 200, 3, "polycarbonate"),
            mesh("mug", "polycarbonate", MUG, (0.75, 1.25), "--thickness", "3mm"),
        ],
        "strikers": ["steel ball", "hard plastic", "drumstick", "wooden mallet", "fingernail"],
        "speeds": (0.3, 2.0),
        "words": ["Dishes, pots, and pans", "Cutlery, silverware", "Tap", "Knock", "Clatter", "Thump, thud", "Thunk"],
        "target": None,
        "real": [("polycarbonate", "")],
    },
}


def say(text):
    print(f"realism: {text}", flush=True)


def stop(text):
    sys.exit(f"realism: {text}")


def log_uniform(rng, low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def strikes(name):
    """The strikes of a group: all objects in turn; striker, speed, size and place by chance."""
    group = GROUPS[name]
    listed = []
    for i in range(STRIKES):
        rng = random.Random(f"foley realism {name} {i}")
        body = group["objects"][i % len(group["objects"])]
        size = round(log_uniform(rng, *body["sizes"]), 3) if "sizes" in body else 1.0
        listed.append({
            "target": body["target"],
            "material": body["material"],
            "options": list(body.get("options", ())),
            "is_mesh": "sizes" in body,
            "held": body["held"],
            "size": size,
            "with": rng.choice(group["strikers"]),
            "speed": round(log_uniform(rng, *group["speeds"]), 3),
            "at": ",".join(f"{x:.4f}" for x in body["place"](rng, size)),
        })
    return listed


class Program:
    """A built `foley` with a cache of its own."""

    def __init__(self, path, cache):
        self.path = path
        self.digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
        # Models of another program are of no use here.
        for other in cache.glob("*"):
            if other.name != self.digest[:16]:
                shutil.rmtree(other)
        self.cache = cache / self.digest[:16]
        self.cache.mkdir(parents=True, exist_ok=True)
        self.environment = {**os.environ, "FOLEY_CACHE_DIR": str(self.cache)}
        self.failed_bakes = {}
        self.version = self.run("--version").strip()

    def run(self, *arguments):
        """Standard output; a RuntimeError with the program's message when it fails."""
        done = subprocess.run([self.path, *map(str, arguments)], env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode != 0:
            message = done.stderr.strip().splitlines()
            raise RuntimeError(message[-1] if message else f"exit status {done.returncode}")
        return done.stdout

    def bake(self, target, material, options):
        """The model of a mesh, baked once for each program."""
        what = (target, "-m", material, *options)
        if what in self.failed_bakes:
            raise RuntimeError(self.failed_bakes[what])
        key = hashlib.sha256(json.dumps(what).encode()).hexdigest()[:12]
        model = self.cache / f"{target}-{material}-{key}.modal"
        if not model.exists():
            say(f"baking {' '.join(what)}")
            # With its final name only when it is complete.
            unfinished = model.with_name("unfinished.modal")
            try:
                self.run("modes", *what, "-o", unfinished)
            except RuntimeError as error:
                self.failed_bakes[what] = str(error)
                raise
            unfinished.rename(model)
        return model

    def strike(self, strike, output):
        model = ["-m", strike["material"], strike["target"]]
        scaled = None
        try:
            if strike["is_mesh"]:
                baked = self.bake(strike["target"], strike["material"], strike["options"])
                scaled = output.with_suffix(".modal")
                self.run("modes", baked, "--size", strike["size"], "-o", scaled)
                model = [scaled]
            self.run("strike", *model, "--with", strike["with"], "--speed", strike["speed"],
                     f"--at={strike['at']}", "--held", strike["held"], "--physical", "--seconds", SECONDS, "-o", output)
        finally:
            if scaled:
                scaled.unlink(missing_ok=True)


def ten_sines(index):
    """Ten decaying sines of random frequency, level and decay, with no model of anything."""
    rng = random.Random(f"foley realism control {index}")
    time = np.arange(int(SECONDS * RATE)) / RATE
    sound = np.zeros_like(time)
    partials = []
    for _ in range(10):
        frequency, t60 = log_uniform(rng, 150, 8000), log_uniform(rng, 0.15, 3.0)
        level = rng.uniform(0.2, 1.0)
        partials.append([round(frequency, 1), round(t60, 3), round(level, 3)])
        sound += level * np.sin(2 * np.pi * frequency * time) * 10 ** (-3 * time / t60)
    return sound / np.abs(sound).max() / 2, partials


class Judge:
    def __init__(self, ears):
        self.program = ears / "judge"
        with open(ears / "model" / "yamnet_class_map.csv", newline="") as file:
            self.classes = [row["display_name"] for row in csv.DictReader(file)]
        for name, words in [*((n, g["words"]) for n, g in GROUPS.items()), ("picnic", RAIN)]:
            for word in words:
                if word not in self.classes or word in NEVER:
                    stop(f"{name}: the classifier has no word {word!r} that counts")
        # Instruments, bells and kinds of music stand together in the list of classes.
        begin, end = (self.classes.index(word) for word in ("Music", "Scary music"))
        self.music = set(self.classes[begin:end + 1])

    def hear(self, files):
        """The first five labels of each file."""
        if not files:
            return []
        done = subprocess.run([self.program, "--json", *map(str, files)], text=True, capture_output=True)
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        if done.returncode != 0 or len(lines) != len(files):
            stop(f"the judge failed: {done.stderr.strip()[-500:]}")
        return [[[word, score] for word, score in line["heard"]] for line in lines]


def first_words(sound, count=3):
    return [word for word, _ in sound["heard"][:count]]


def share(sounds, words):
    """Share of sounds with one of the words among the first three labels; None of no sounds."""
    if not sounds:
        return None
    return sum(any(w in words for w in first_words(s)) for s in sounds) / len(sounds)


def labels(sounds):
    """How often each label is among the first three."""
    return Counter(word for s in sounds for word in first_words(s))


def overlap(a, b):
    """What two groups' labels have in common: 0 nothing, 1 equal shares of every label."""
    if not a or not b:
        return None
    a, b = labels(a), labels(b)
    na, nb = sum(a.values()) or 1, sum(b.values()) or 1
    return sum(min(a[w] / na, b[w] / nb) for w in a)


def render_group(program, judge, name, folder):
    """The judged sounds of a group."""
    listed = strikes(name)
    say(f"{GROUPS[name]['title']}: rendering {len(listed)} strikes")
    folder.mkdir(parents=True)
    sounds = []
    for i, strike in enumerate(listed, 1):
        output = folder / f"{name}-{i:02}.wav"
        sound = {"file": output.name, **strike, "heard": []}
        try:
            program.strike(strike, output)
        except RuntimeError as error:
            sound["error"] = str(error)
            say(f"{output.name}: {strike['material']} {strike['target']}: {error}")
        sounds.append(sound)
    judge_all(judge, folder, sounds)
    return sounds


def judge_all(judge, folder, sounds):
    rendered = [s for s in sounds if "error" not in s]
    say(f"judging {len(rendered)} sounds")
    for sound, heard in zip(rendered, judge.hear([folder / s["file"] for s in rendered])):
        sound["heard"] = heard


def control(judge, folder):
    say(f"control: {STRIKES} sums of ten decaying sines")
    folder.mkdir(parents=True)
    sounds = []
    for i in range(1, STRIKES + 1):
        samples, partials = ten_sines(i)
        name = f"control-{i:02}.wav"
        soundfile.write(folder / name, samples, RATE, subtype="PCM_24")
        sounds.append({"file": name, "partials": partials, "heard": []})
    judge_all(judge, folder, sounds)
    return sounds


def demos(program, judge, folder):
    """The labels of every demo, in pieces of ten seconds: the judge listens to no more of a file."""
    listed = [line.split()[0] for line in program.run("demo", "--list").splitlines() if line.strip()]
    results = {}
    for name in listed:
        say(f"demo {name}")
        own = folder / name
        try:
            program.run("demo", name, "-o", own)
            samples, rate = soundfile.read(next(own.glob("*.wav")), always_2d=True)
        except (RuntimeError, StopIteration) as error:
            results[name] = {"error": str(error) or "no sound was written", "pieces": []}
            say(f"demo {name}: {results[name]['error']}")
            continue
        pieces = []
        # All of the file is heard: the last piece ends with it, and others may overlap.
        count = math.ceil(len(samples) / (PIECE_S * rate))
        for begin in np.linspace(0, max(0, len(samples) - PIECE_S * rate), count).astype(int).tolist():
            piece = samples[begin:begin + PIECE_S * rate]
            file = own / f"piece-{len(pieces) + 1}.wav"
            soundfile.write(file, piece, rate, subtype="FLOAT")
            pieces.append({"file": f"{name}/{file.name}", "begin_s": begin / rate,
                           "end_s": (begin + len(piece)) / rate, "heard": []})
        judge_all(judge, folder, pieces)
        for piece in pieces:
            words = first_words(piece)
            piece["rain"] = any(w in RAIN for w in words)
            piece["music"] = any(w in judge.music for w in words)
        results[name] = {"pieces": pieces}
    return results


def recordings(judge, ears):
    """All recordings of the index, judged."""
    with open(ears / "recordings" / "index.csv", newline="") as file:
        sounds = [{key: row[key] for key in ("file", "material", "action")} for row in csv.DictReader(file)]
    say("real recordings")
    judge_all(judge, ears / "recordings", sounds)
    return sounds


def real_of(group, real):
    return [s for s in real if any(m in ("", s["material"]) and a in s["action"] for m, a in group["real"])]


def percent(value):
    return "–" if value is None else f"{100 * value:.0f} %"


def common(sounds, count=5):
    """The most common labels with the number of sounds that have them."""
    return ", ".join(f"{word.replace(', ', '/')} {n}" for word, n in labels(sounds).most_common(count)) or "–"


def row(*cells):
    return "| " + " | ".join(str(c) for c in cells) + " |"


def heading(*cells):
    return [row(*cells), "|" + " --- |" * len(cells)]


def evaluate(groups, controls, real):
    """The figures of each group."""
    figures = {}
    for name, sounds in groups.items():
        group = GROUPS[name]
        same = real_of(group, real)
        named, target = share(sounds, group["words"]), group["target"]
        fooled = share(controls, group["words"])
        figures[name] = {
            "title": group["title"],
            "words": group["words"],
            "strikes": len(sounds),
            "not_rendered": sum("error" in s for s in sounds),
            "named": named,
            "target": target,
            "target_met": None if target is None else named >= target,
            "control_named": fooled,
            # Where the target is not too low to tell a model from ten sines.
            "control_fails": None if target is None else fooled < target,
            "real_recordings": len(same),
            "real_named": share(same, group["words"]),
            "label_overlap_with_real": overlap(sounds, same),
        }
    return figures


def record(figures, shown):
    """The figures in the lines that `foley-measured` reads, appended to the file that FOLEY_MEASURED names."""
    records = {}
    for name, f in figures.items():
        records[f"realism.{name}"] = 100 * f["named"]
        if f["real_named"] is not None:
            records[f"realism.{name}_recorded"] = 100 * f["real_named"]
    records["realism.control"] = max(f["control_named"] / f["target"] for f in figures.values() if f["target"])
    pieces = shown.get("picnic", {}).get("pieces", [])
    records["realism.picnic"] = 100 * sum(p["rain"] and not p["music"] for p in pieces) / max(1, len(pieces))
    if path := os.environ.get("FOLEY_MEASURED"):
        with open(path, "a") as file:
            for name, value in records.items():
                file.write(json.dumps({"id": name, "figure": repr(value), "command": "make realism"}) + "\n")


def verdict(met):
    return {None: "–", True: "met", False: "MISSED"}[met]


def table(program, figures, groups, controls, real, shown):
    lines = [
        "## Realism: labels of a sound classifier",
        "",
        f"Program: {program.version}, SHA-256 {program.digest[:12]}. A sound is named when one of the words of its "
        "group is among the first three labels of YAMNet. Control: sums of ten decaying sines, counted with the "
        "words of each group; it must stay below the target. Overlap: what the first three labels of rendered and "
        "real sounds have in common (1: the same labels equally often).",
        "",
        *heading("group", "strikes", "named", "target", "", "real named", "control named", "overlap"),
    ]
    for f in figures.values():
        missing = f" ({f['not_rendered']} not rendered)" if f["not_rendered"] else ""
        real_named = f"{percent(f['real_named'])} of {f['real_recordings']}" if f["real_recordings"] else "none recorded"
        fooled = percent(f["control_named"]) + ("" if f["control_fails"] in (None, True) else " (NOT BELOW TARGET)")
        shared = "–" if f["label_overlap_with_real"] is None else f"{f['label_overlap_with_real']:.2f}"
        target = "–" if f["target"] is None else "≥ " + percent(f["target"])
        lines.append(row(f["title"], f"{f['strikes']}{missing}", percent(f["named"]), target,
                         verdict(f["target_met"]), real_named, fooled, shared))
    lines += ["", "Labels among the first three, with the number of sounds:", "",
              *heading("group", "rendered", "real")]
    for name, f in figures.items():
        lines.append(row(f["title"], common(groups[name], 8), common(real_of(GROUPS[name], real), 8)))
    lines.append(row("control", common(controls, 8), "–"))

    lines += ["", "By object:", "", *heading("group", "object", "strikes", "named", "labels")]
    for name, sounds in groups.items():
        by_object = {}
        for s in sounds:
            by_object.setdefault(" ".join([s["material"], s["target"], *s["options"]]), []).append(s)
        for what, some in by_object.items():
            lines.append(row(name, what, len(some), percent(share(some, GROUPS[name]["words"])), common(some, 4)))
    lines += ["", "By striker:", "", *heading("group", "striker", "strikes", "named", "labels")]
    for name, sounds in groups.items():
        for striker in sorted({s["with"] for s in sounds}):
            some = [s for s in sounds if s["with"] == striker]
            lines.append(row(name, striker, len(some), percent(share(some, GROUPS[name]["words"])), common(some, 4)))

    lines += ["", "Real recordings:", "", *heading("material", "recording", "number", "labels")]
    by_action = {}
    for s in real:
        # Of "robot strike, A on B" the object: B.
        action = s["action"].split(" on ")[-1]
        by_action.setdefault((s["material"], action), []).append(s)
    for (material, action), some in sorted(by_action.items()):
        lines.append(row(material, action, len(some), common(some)))

    lines += ["", f"Demos, in pieces of {PIECE_S} s, which overlap where the length is no multiple:", "", *heading("demo", "seconds", "first five labels")]
    for name, demo in shown.items():
        if "error" in demo:
            lines.append(row(name, "–", f"not rendered: {demo['error']}"))
        for piece in demo["pieces"]:
            words = ", ".join(f"{word.replace(', ', '/')} {score:.2f}" for word, score in piece["heard"])
            lines.append(row(name, f"{piece['begin_s']:.0f}–{piece['end_s']:.0f}", words))
    if picnic := shown.get("picnic", {}).get("pieces"):
        good = sum(p["rain"] and not p["music"] for p in picnic)
        lines += ["", f"Picnic: {good} of {len(picnic)} pieces have a word of rain and no word of music among the "
                  f"first three: {verdict(good == len(picnic))}."]
    elif "picnic" in shown:
        lines += ["", f"Picnic: not judged: {verdict(False)}."]
    lines += ["", "Words that count:", ""]
    lines += [f"- {f['title']}: {'; '.join(f['words'])}" for f in figures.values()]
    lines += [f"- picnic: {'; '.join(RAIN)}; and no instrument and no kind of music", ""]
    return "\n".join(lines)


def draw(figures, path):
    figure, axes = plt.subplots(figsize=(11, 5), layout="constrained")
    x = np.arange(len(figures))
    bars = [("synthesized", "named", "#1f77b4"), ("real recordings", "real_named", "#2ca02c"),
            ("control: ten sines", "control_named", "#999999")]
    for k, (label, key, colour) in enumerate(bars):
        for i, f in enumerate(figures.values()):
            at, value = x[i] + (k - 1) * 0.27, f[key]
            text = "none" if value is None else f"{100 * value:.0f}"
            axes.bar(at, 100 * (value or 0), 0.25, color=colour, label=label if i == 0 else None)
            axes.text(at, 100 * (value or 0) + 1, text, ha="center", fontsize=8)
    for i, f in enumerate(figures.values()):
        if f["target"] is not None:
            axes.hlines(100 * f["target"], x[i] - 0.42, x[i] + 0.42, color="#d62728", linestyle="--",
                        label="target" if i == 0 else None)
    axes.set_xticks(x, [f["title"].replace(" and ", "\nand ").replace(", ", ",\n") for f in figures.values()])
    axes.set_ylabel("named by the classifier, %")
    axes.set_ylim(0, 108)
    axes.set_title("Sounds with a fitting word among the first three labels")
    axes.legend(loc="upper right", ncols=2)
    figure.savefig(path, dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ears", type=Path, required=True, help="folder with `judge` and recordings")
    parser.add_argument("--program", required=True, help="a built `foley`")
    parser.add_argument("--output", type=Path, required=True, help="folder for tables, picture and sounds")
    arguments = parser.parse_args()

    # The judge may run in another folder.
    output = arguments.output.resolve()
    output.mkdir(parents=True, exist_ok=True)
    # Nothing of an earlier run is left to be taken for this one.
    shutil.rmtree(output / "sounds", ignore_errors=True)
    for name in ("table.md", "table.json", "realism.png"):
        (output / name).unlink(missing_ok=True)
    judge = Judge(arguments.ears)
    program = Program(arguments.program, output / "cache")
    say(f"{program.version}, SHA-256 {program.digest[:12]}")

    sounds = output / "sounds"
    real = recordings(judge, arguments.ears)
    controls = control(judge, sounds / "control")
    groups = {name: render_group(program, judge, name, sounds / name) for name in GROUPS}
    shown = demos(program, judge, sounds / "demos")

    figures = evaluate(groups, controls, real)
    record(figures, shown)
    text = table(program, figures, groups, controls, real, shown)
    (output / "table.md").write_text(text)
    everything = {"program": {"version": program.version, "sha256": program.digest}, "groups": figures,
                  "strikes": groups, "control": controls, "real": real, "demos": shown}
    (output / "table.json").write_text(json.dumps(everything, indent=1, ensure_ascii=False) + "\n")
    draw(figures, output / "realism.png")
    print("\n" + text)
    say(f"written: table.md, table.json and realism.png in {arguments.output}")


if __name__ == "__main__":
    main()
