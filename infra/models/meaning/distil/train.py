"""Draws the student to the teacher's vectors: `python train.py WORK STEPS`.

Goes on where an earlier run ended, at full rate again. The same seed draws the same batches.
"""

import sys
import time
from pathlib import Path

import numpy as np

from judge import Judge
from student import OUTPUT, backward, counts_of, embed, forward, new_student, unit

BATCH = 512
# Of eleven texts of a batch so many are translations, English sentences, several sentences together, paragraphs and
# single pieces. A translation is drawn to the vector of its English sentence, all else to its own.
PARTS = {"pairs": 6, "english": 1, "long": 2, "plain": 1, "pieces": 1}
TEACHER = {"pairs": "english"}
# How sharply a text tells its neighbours apart, and how much that counts beside being near its own vector.
TEMPERATURE, NEIGHBOURS = 0.06, 2.0
LAYER_RATE, ROW_RATE, FIRST_STEPS = 2e-3, 1e-2, 100
MOMENTUM, SPREAD = 0.9, 0.99


class Examples:
    """The texts of one kind in an order of their own, begun anew when all were seen."""

    def __init__(self, work, name, random):
        stored = np.load(work / f"x_{name}.npz")
        self.pieces, self.starts, self.targets = stored["flat"], stored["off"], stored["target"]
        self.vectors = np.load(work / f"{TEACHER.get(name, name)}.npy", mmap_mode="r")
        self.random, self.order, self.at = random, random.permutation(len(self.targets)), 0

    def take(self, count):
        if self.at + count > len(self.order):
            self.order, self.at = self.random.permutation(len(self.targets)), 0
        chosen = self.order[self.at : self.at + count]
        self.at += count
        texts = [self.pieces[self.starts[one] : self.starts[one + 1]] for one in chosen]
        return texts, self.vectors[self.targets[chosen]].astype(np.float32)


def loss_by_vectors(vectors, wanted):
    """The cosine to the own vector, and the Kullback-Leibler distance of the shares that the batch's vectors have."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-6
    said = vectors / length
    by_said = -wanted
    by_said = by_said + NEIGHBOURS * (shares(said @ wanted.T) - shares(wanted @ wanted.T)) @ wanted
    by_said /= len(said)
    cosine = float((said * wanted).sum(1).mean())
    return cosine, (by_said - said * (by_said * said).sum(1, keepdims=True)) / length


def shares(cosines):
    powers = np.exp((cosines - cosines.max(1, keepdims=True)) / TEMPERATURE)
    return powers / powers.sum(1, keepdims=True)


class Adam:
    """Adam, which of the rows moves only those of the batch."""

    def __init__(self, student):
        self.mean = {name: np.zeros_like(value) for name, value in student.items()}
        self.square = {name: np.zeros_like(value) for name, value in student.items()}
        self.steps = 0

    def move(self, student, layers, rows, used, rate):
        self.steps += 1
        correction = np.sqrt(1 - SPREAD**self.steps) / (1 - MOMENTUM**self.steps)
        for name, gradient in layers.items():
            student[name] -= rate * LAYER_RATE * correction * self.direction(name, slice(None), gradient)
        student["rows"][used] -= rate * ROW_RATE * correction * self.direction("rows", used, rows)

    def direction(self, name, places, gradient):
        mean = MOMENTUM * self.mean[name][places] + (1 - MOMENTUM) * gradient
        square = SPREAD * self.square[name][places] + (1 - SPREAD) * gradient * gradient
        self.mean[name][places], self.square[name][places] = mean, square
        return mean / (np.sqrt(square) + 1e-8)


def main(work, steps):
    random = np.random.default_rng(1)
    stored = work / "student.npz"
    student = dict(np.load(stored)) if stored.exists() else new_student(np.load(work / "start.npy"), random)
    directions = np.load(work / "directions.npy")[:, :OUTPUT]
    kinds = {name: Examples(work, name, random) for name in PARTS}
    part = np.array(list(PARTS.values())) / sum(PARTS.values())
    adam, judge, began, near = Adam(student), Judge(work), time.time(), 0.0
    for step in range(steps):
        drawn = [kinds[name].take(count) for name, count in zip(PARTS, random.multinomial(BATCH, part))]
        texts = [text for some, _ in drawn for text in some]
        wanted = unit(np.concatenate([vectors for _, vectors in drawn]) @ directions)
        counts, used = counts_of(texts)
        vectors, kept = forward(student, counts, used)
        cosine, by_vectors = loss_by_vectors(vectors, wanted)
        layers, rows = backward(student, counts, kept, by_vectors)
        rate = min(1, (step + 1) / FIRST_STEPS) * (0.5 + 0.5 * np.cos(np.pi * step / steps))
        adam.move(student, layers, rows, used, rate)
        near += 0.02 * (cosine - near)
        if step % 100 == 99:
            found = judge(lambda some: embed(student, some))
            print(step + 1, round(near, 4), found, round(time.time() - began), flush=True)
    np.savez(stored, **student)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
