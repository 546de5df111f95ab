#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the arrays in in/arrays/, as NumPy would: python3 make_arrays.py, from this folder."""
import os
import struct
import zipfile


def npy(descr, shape, data):
    text = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + data


def texts(*names):
    size = max(len(name) for name in names)
    data = b"".join(name.ljust(size, "\0").encode("utf-32-le") for name in names)
    return npy("<U%d" % size, (len(names),), data)


def doubles(rows):
    flat = [x for row in rows for x in row]
    return npy("<f8", (len(rows), len(rows[0])), struct.pack("<%dd" % len(flat), *flat))


def save(name, data):
    path = os.path.join("in", "arrays", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as to:
        to.write(data)


def save_npz(name, **arrays):
    path = os.path.join("in", "arrays", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as to:
        for key, data in arrays.items():
            to.writestr(zipfile.ZipInfo(key + ".npy", (1980, 1, 1, 0, 0, 0)), data)


NAN = float("nan")
bits = npy("|u1", (3, 4), bytes([1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0]))
graded = doubles([[1, 0.5, 0.25, NAN], [0, 0, 1, 0.75], [1, 1, 0.5, 0]])
models, items = texts("alpha", "beta", "gämma"), texts("q1", "q2", "q3", "q4")
objects = npy("|O", (3,), b"\x80\x04]\x94.")
vectors = npy("<f4", (2, 16), struct.pack("<32f", *[(k - 15) / 7 for k in range(32)]))

save("scores.npy", bits)
save("row.npy", npy("|u1", (4,), bytes([1, 0, 1, 1])))
save("vectors.npy", vectors)
save_npz("run/scores.npz", scores=graded, models=models, items=items,
         clusters=texts("a", "a", "b", "b"))
save_npz("two.npz", acc=bits, graded=graded, subjects=models)
save_npz("objects.npz", scores=bits, models=objects)
save("no_library.parquet", b"PAR1" + bytes(8) + b"PAR1")
