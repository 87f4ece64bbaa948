import json, sys, zlib, numpy as np
b = open(sys.argv[1], "rb").read(); n = 16 + int.from_bytes(b[12:16], "little"); h = json.loads(b[16:n])
assert b[:8] == b"FOLEYMOD" and zlib.crc32(b[:-4]) == int.from_bytes(b[-4:], "little")
m = {a["name"]: np.ndarray(a["shape"], a["dtype"], b, n + a["offset"]) for a in h["arrays"]}
g = m.get("gains", m.get("shapes")); print(h["name"], m["frequencies_hz"][0], g.shape, g.sum(dtype=float))
