/** Round steps for people. */
const STEPS = [1, 2, 2.5, 5, 10]

interface Options {
  /** Approximate number of ticks that fit. */
  readonly most: number
  /** True for values that are always whole numbers. */
  readonly whole?: boolean
}

/** Round numbers from the one at or below the least value to the one at or above the greatest. */
export const ticksOf = (least: number, greatest: number, { most, whole = false }: Options): readonly number[] => {
  const span = greatest - least || Math.abs(greatest) || 1
  const magnitude = 10 ** Math.floor(Math.log10(span / most))
  const exact = STEPS.map(each => each * magnitude).find(each => span / each <= most) ?? span
  const step = whole ? Math.max(1, Math.ceil(exact)) : exact
  const first = Math.floor(least / step)
  const last = Math.max(first + 1, Math.ceil(greatest / step))
  // Sums of fractions have rounding errors.
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}

/**
 * Places with a label, given in pixels from the left and in order: the first, then every nth, so that each label fits
 * and stays within the width.
 */
export const labelledOf = (
  places: readonly number[],
  { width, room }: { readonly width: number; readonly room: number },
): readonly number[] => {
  const least = Math.min(...places.slice(1).map((place, index) => place - (places[index] ?? 0)))
  const every = Math.max(1, Math.ceil(room / least))
  return places.flatMap((place, index) => (index % every === 0 && place <= width - room / 2 ? [index] : []))
}
