"""How different two sounds are to the ear, by two models of hearing.

    scripts/ears < pairs

Each line of the standard input names a reference and a test, `REFERENCE.wav TEST.wav`, both
mono, of one rate and of one length. For each comes one line of JSON:

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
    """The samples of a mono file of 48 kHz."""
    try:
        samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    except (OSError, soundfile.SoundFileError) as error:
        raise ValueError(f"{path}: cannot be read ({error})") from None
    if samples.shape[1] != 1:
        raise ValueError(f"{path}: has {samples.shape[1]} channels; give a mono file")
    if rate != RATE:
        raise ValueError(f"{path}: is sampled at {rate} Hz; give a file of {RATE} Hz")
    if not np.isfinite(samples).all():
        raise ValueError(f"{path}: holds values that are not numbers")
    return samples[:, 0]


def compare(ears, line):
    """The figures of one pair."""
    names = shlex.split(line)
    if len(names) != 2:
        raise ValueError(f"{line.strip()!r}: write two file names, REFERENCE.wav TEST.wav")
    reference, test = (read(name) for name in names)
    if len(reference) != len(test):
        raise ValueError(
            f"{names[0]} has {len(reference)} samples, {names[1]} has {len(test)}: "
            "only sounds of one length can be compared"
        )
    if len(reference) < RATE:
        raise ValueError(f"{names[0]}: is shorter than a second, too short to be judged")
    if not reference.any():
        raise ValueError(f"{names[0]}: is silent")
    distance = ears[0].distance(reference, test)
    mos = ears[1].measure_from_arrays(
        reference.astype(np.float64), test.astype(np.float64), RATE
    )
    return {
        "zimtohrli_distance": float(distance),
        "zimtohrli_mos": float(zimtohrli.mos_from_zimtohrli(distance)),
        "visqol_mos": float(mos.moslqo),
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
