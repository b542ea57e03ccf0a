"""The teacher's rows with four-bit numbers in fewer dimensions."""

import numpy as np

DIMENSIONS, SAMPLED, TOP, SEED = 384, 4, 7, 0
# Candidate limits, relative to a row's largest number: larger numbers are clipped when that lowers the error.
CUTS = (0.55, 0.65, 0.75, 0.85, 1.0)


def directions(rows):
    """The strongest directions of the rows, rotated so that all numbers have a similar range.

    Without the rotation the first numbers are so large that four bits leave almost nothing of the last.
    """
    _, _, strongest = np.linalg.svd(rows[::SAMPLED], full_matrices=False)
    turn, _ = np.linalg.qr(np.random.RandomState(SEED).randn(DIMENSIONS, DIMENSIONS))
    return (turn.T @ strongest[:DIMENSIONS]).astype(np.float32)


def four_bits(rows):
    """Integers from -7 to 7, and for each row the scale with the least error."""
    peaks = np.abs(rows).max(1)
    peaks[peaks == 0] = 1
    numbers, scales, lost = np.zeros_like(rows, np.int8), np.zeros(len(rows), np.float32), np.full(len(rows), np.inf)
    for cut in CUTS:
        scale = (peaks * cut / TOP).astype(np.float32)
        tried = np.clip(np.round(rows / scale[:, None]), -TOP, TOP)
        loss = ((tried * scale[:, None] - rows) ** 2).sum(1)
        better = loss < lost
        numbers[better], scales[better], lost[better] = tried[better], scale[better], loss[better]
    return numbers, scales


def bytes_of(numbers):
    """Two numbers in a byte, the first in the low half."""
    halves = (numbers + TOP + 1).astype(np.uint8)
    return (halves[:, 0::2] | halves[:, 1::2] << 4).tobytes()
