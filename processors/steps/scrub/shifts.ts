/**
 * A text as a person reads it, for the detectors; `at` leads each of its positions back to the text as it is written.
 */
export interface Reading {
  readonly text: string
  readonly at: (position: number) => number
}

/** Where a text that was made of another begins to lie elsewhere than in that. */
export interface Shift {
  readonly from: number
  readonly written: number
}

/** The last shift at or before a position tells how far apart the two are there. */
export const writtenPosition = (shifts: readonly Shift[], position: number): number => {
  let low = 0
  let high = shifts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((shifts[middle]?.from ?? 0) <= position) low = middle
    else high = middle - 1
  }
  const shift = shifts[low]
  return shift === undefined ? position : shift.written + (position - shift.from)
}
