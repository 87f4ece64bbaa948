"""How different two sounds are to the ear, by two models of hearing.

    scripts/ears < pairs

Each line of the standard input names a reference and a test, `REFERENCE.wav TEST.wav`, both of
one rate, of one length and of one number of channels. For each comes one line of JSON, with the
figures of the channel that differs most:

- `zimtohrli_distance`, `zimtohrli_mos`: Zimtohrli (Google, 2024), 0 and 5.0 for equal sounds;
- `visqol_mos`: ViSQOL in audio mode (Chinen et al. 2020), about 4.73 for equal sounds.

A pair that cannot be compared gets a line on the standard error and `{"error": …}`, the others
go on, and the exit status is 1.
"""

import json
import shlex
import sys

import numpy as np
import soundfile
import visqol
import zimtohrli

RATE = 48_000
# The two begin together and never drift: searching for shifts would only take time.
VISQOL = {
    "mode": "audio",
    "disable_global_alignment": True,
    "disable_realignment": True,
    "search_window": 2,
}


def read(path):
    """The samples of a file of 48 kHz, channel by channel."""
    try:
        samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    except (OSError, soundfile.SoundFileError) as error:
        raise ValueError(f"{path}: cannot be read ({error})") from None
    if rate != RATE:
        raise ValueError(f"{path}: is sampled at {rate} Hz; give a file of {RATE} Hz")
    if not np.isfinite(samples).all():
        raise ValueError(f"{path}: holds values that are not numbers")
    return np.ascontiguousarray(samples.T)


def compare(ears, line):
    """The figures of one pair."""
    names = shlex.split(line)
    if len(names) != 2:
        raise ValueError(f"{line.strip()!r}: write two file names, REFERENCE.wav TEST.wav")
    reference, test = (read(name) for name in names)
    if reference.shape != test.shape:
        raise ValueError(
            f"{names[0]} has {reference.shape} channels and samples, {names[1]} has {test.shape}: "
            "only sounds of one length can be compared"
        )
    if reference.shape[1] < RATE:
        raise ValueError(f"{names[0]}: is shorter than a second, too short to be judged")
    if not reference.any():
        raise ValueError(f"{names[0]}: is silent")
    channels = [pair for pair in zip(reference, test) if pair[0].any()]
    distance = max(ears[0].distance(*pair) for pair in channels)
    mos = min(
        ears[1].measure_from_arrays(*(x.astype(np.float64) for x in pair), RATE).moslqo
        for pair in channels
    )
    return {
        "zimtohrli_distance": float(distance),
        "zimtohrli_mos": float(zimtohrli.mos_from_zimtohrli(distance)),
        "visqol_mos": float(mos),
    }


def main():
    api = visqol.VisqolApi()
    api.create(**VISQOL)
    ears = zimtohrli.Pyohrli(), api
    failed = False
    for line in filter(str.strip, sys.stdin):
        try:
            figures = compare(ears, line)
        except ValueError as error:
            print(f"ears: {error}", file=sys.stderr)
            figures, failed = {"error": str(error)}, True
        print(json.dumps(figures), flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
