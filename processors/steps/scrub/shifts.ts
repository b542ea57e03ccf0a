/** A text as a person reads it, for the detectors. `at` maps its positions to the written text. */
export interface Reading {
  readonly text: string
  readonly at: (position: number) => number
}

/** A position from which a derived text lies elsewhere than its original. */
export interface Shift {
  readonly from: number
  readonly written: number
}

/** The position in the written text, by the last shift at or before `position`. */
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
