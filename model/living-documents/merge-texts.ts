import { markedLines } from './differences.ts'

export interface Merged {
  readonly text: string
  /** Places where both changed the same lines: both are kept there, between marks. */
  readonly conflicts: number
}

/** The marks around what both wrote in one place, each on a line of its own. */
export const MARKS = { ours: '<<<<<<< yours', between: '=======', theirs: '>>>>>>> theirs' } as const

/**
 * What two people made of one text, brought together by line (a three-way merge, as of `diff3`): a line that one of them changed is
 * as they have it; where both changed, both are kept for a person to choose. No line of either is lost.
 */
export const mergeTexts = (base: string, ours: string, theirs: string): Merged => {
  const [baseLines, ourLines, theirLines] = [base.split('\n'), ours.split('\n'), theirs.split('\n')]
  const inOurs = axisPositions(baseLines, ourLines)
  const inTheirs = axisPositions(baseLines, theirLines)
  const lines: string[] = []
  let conflicts = 0
  let [from, ourFrom, theirFrom] = [0, 0, 0]
  for (let line = 0; line <= baseLines.length; line += 1) {
    const [ourTo, theirTo] = [inOurs[line], inTheirs[line]]
    if (ourTo === undefined || theirTo === undefined) continue
    const between = [
      baseLines.slice(from, line),
      ourLines.slice(ourFrom, ourTo),
      theirLines.slice(theirFrom, theirTo),
    ] as const
    const chosen = chosenOf(...between)
    if (chosen === null) conflicts += 1
    lines.push(...(chosen ?? [MARKS.ours, ...between[1], MARKS.between, ...between[2], MARKS.theirs]))
    lines.push(...baseLines.slice(line, line + 1))
    from = line + 1
    ourFrom = ourTo + 1
    theirFrom = theirTo + 1
  }
  return { text: lines.join('\n'), conflicts }
}

/** Where each line of `before` is in `after`, undefined where it is not; and last the end of both. */
const axisPositions = (before: readonly string[], after: readonly string[]): readonly (number | undefined)[] => {
  const places: (number | undefined)[] = []
  let index = 0
  for (const [mark] of markedLines(before, after)) {
    if (mark !== '+') places.push(mark === ' ' ? index : undefined)
    if (mark !== '-') index += 1
  }
  return [...places, after.length]
}

/** The lines that only one of them changed, or that both changed alike; null where they differ. */
const chosenOf = (
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): readonly string[] | null => {
  if (isSame(ours, theirs) || isSame(base, theirs)) return ours
  return isSame(base, ours) ? theirs : null
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, index) => line === other[index])
