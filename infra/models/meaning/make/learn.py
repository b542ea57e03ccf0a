"""Trains the rows of pieces: a translation's vector should equal the teacher's vector of the English sentence."""

import time

import numpy as np
from scipy import sparse

from network import unit

# Translations in a batch, and sentences in the teacher's languages, which must keep their vectors.
TRANSLATIONS, OTHERS = 256, 128
# Temperature of the similarities within a batch, and the weight of that term beside the cosine to the own vector.
TEMPERATURE, NEIGHBOURS = 0.06, 2.0
MOMENTUM, SPREAD, FIRST_STEPS, SEED = 0.9, 0.99, 10, 1
# Step size of a row, relative to the root mean square of all rows' numbers.
RATE = 0.05


def shares(cosines):
    powers = np.exp((cosines - cosines.max(1, keepdims=True)) / TEMPERATURE)
    return powers / powers.sum(1, keepdims=True)


def loss_by_vectors(vectors, wanted):
    """Cosines to the own vectors, and the gradient: of the cosine and of the batch similarities' KL divergence."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-6
    said = vectors / length
    by_said = (NEIGHBOURS * (shares(said @ wanted.T) - shares(wanted @ wanted.T)) @ wanted - wanted) / len(said)
    return (said * wanted).sum(1), (by_said - said * (by_said * said).sum(1, keepdims=True)) / length


class Adam:
    """Adam for only the rows of the batch."""

    def __init__(self, rows, part):
        self.mean, self.square, self.steps = np.zeros_like(rows), np.zeros_like(rows), 0
        self.far = RATE * np.sqrt((rows**2).mean()) * part[:, None]

    def move(self, rows, used, by_rows, rate):
        self.steps += 1
        self.mean[used] = MOMENTUM * self.mean[used] + (1 - MOMENTUM) * by_rows
        self.square[used] = SPREAD * self.square[used] + (1 - SPREAD) * by_rows**2
        correction = np.sqrt(1 - SPREAD**self.steps) / (1 - MOMENTUM**self.steps)
        direction = self.mean[used] / (np.sqrt(self.square[used]) + 1e-9)
        rows[used] -= rate * correction * self.far[used] * direction


def learn(network, rows, part, translations, others, steps):
    """`translations` and `others` are texts as row numbers, each with its target vector."""
    random, adam, began = np.random.default_rng(SEED), Adam(rows, part), time.time()
    for step in range(steps):
        batch = [translations[at] for at in random.integers(len(translations), size=TRANSLATIONS)]
        batch += [others[at] for at in random.integers(len(others), size=OTHERS)]
        flat, lengths = np.concatenate([text for text, _ in batch]), np.array([len(text) for text, _ in batch])
        used, places = np.unique(flat, return_inverse=True)
        vectors, kept = network.forward(rows[flat], lengths)
        cosines, by_vectors = loss_by_vectors(vectors, unit(np.stack([wanted for _, wanted in batch])))
        of_rows = sparse.csr_matrix((np.ones(len(flat), np.float32), (places, np.arange(len(flat)))))
        by_rows = of_rows @ network.backward(by_vectors, kept)
        rate = min(1, (step + 1) / FIRST_STEPS) * (0.5 + 0.5 * np.cos(np.pi * step / steps))
        adam.move(rows, used, by_rows, rate)
        if step % 10 == 0:
            near = cosines[:TRANSLATIONS].mean(), cosines[TRANSLATIONS:].mean()
            print(step, *(round(float(one), 3) for one in near), round(time.time() - began), flush=True)
