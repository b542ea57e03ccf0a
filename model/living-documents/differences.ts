interface Differences {
  readonly added: number
  readonly removed: number
  /** Unified diff with three lines of context; empty for equal texts. */
  readonly text: string
}

type Line = readonly [mark: ' ' | '-' | '+', text: string]

const CONTEXT = 3
/** Most changed lines; above, one text replaces the other as a whole. */
const MAX_STEPS = 500

export const differencesOf = (before: string, after: string): Differences => {
  const lines = markedLines(linesOf(before), linesOf(after))
  const count = (mark: Line[0]): number => lines.filter(line => line[0] === mark).length
  return { added: count('+'), removed: count('-'), text: hunksOf(lines) }
}

/** An empty text has no lines. */
const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.split('\n'))

/** All lines of both texts, marked as kept, removed or added. */
const markedLines = (before: readonly string[], after: readonly string[]): readonly Line[] => {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  const shorter = Math.min(before.length, after.length) - start
  while (end < shorter && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1
  const kept = (lines: readonly string[]): Line[] => lines.map(text => [' ', text])
  const [old, young] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  return [...kept(before.slice(0, start)), ...shortestEdit(old, young), ...kept(before.slice(before.length - end))]
}

/** The furthest line of `before` on each diagonal, from the lowest diagonal on. */
interface Reached {
  readonly lowest: number
  readonly lines: Int32Array
}

const lineOn = ({ lines, lowest }: Reached, diagonal: number): number => lines[diagonal - lowest] ?? -1

/** The fewest removed and added lines (Myers, "An O(ND) Difference Algorithm and Its Variations", 1986). */
const shortestEdit = (before: readonly string[], after: readonly string[]): readonly Line[] => {
  const most = Math.min(before.length + after.length, MAX_STEPS)
  const furthest = { lowest: -most - 1, lines: new Int32Array(2 * most + 3).fill(-1) }
  furthest.lines[most + 2] = 0
  // `furthest` before each step.
  const steps: Reached[] = []
  for (let step = 0; step <= most; step += 1) {
    steps.push({ lowest: -step - 1, lines: furthest.lines.slice(most - step, most + step + 3) })
    for (let diagonal = -step; diagonal <= step; diagonal += 2) {
      const from = cameFrom(furthest, diagonal, step)
      let x = lineOn(furthest, from)
      if (from < diagonal) x += 1
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1
      furthest.lines[diagonal + most + 1] = x
      if (x >= before.length && x - diagonal >= after.length) return wayBack(before, after, steps)
    }
  }
  return [...before.map((text): Line => ['-', text]), ...after.map((text): Line => ['+', text])]
}

/** The diagonal that a step came from: the one above for an added line, the one below for a removed line. */
const cameFrom = (furthest: Reached, diagonal: number, step: number): number => {
  const adds = lineOn(furthest, diagonal - 1) < lineOn(furthest, diagonal + 1)
  return diagonal === -step || (diagonal !== step && adds) ? diagonal + 1 : diagonal - 1
}

const wayBack = (before: readonly string[], after: readonly string[], steps: readonly Reached[]): readonly Line[] => {
  const lines: Line[] = []
  let [x, y] = [before.length, after.length]
  for (const [step, furthest] of [...steps.entries()].reverse()) {
    const from = cameFrom(furthest, x - y, step)
    const fromX = lineOn(furthest, from)
    const fromY = fromX - from
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      lines.push([' ', before[x - 1] ?? ''])
      x -= 1
      y -= 1
    }
    if (step > 0) lines.push(x > fromX ? ['-', before[fromX] ?? ''] : ['+', after[fromY] ?? ''])
    x = fromX
    y = fromY
  }
  return lines.reverse()
}

/** Unified hunks (POSIX `diff -u`): `@@ -line,count +line,count @@`, then the lines. */
const hunksOf = (lines: readonly Line[]): string => {
  // 1 for each line that is shown.
  const near = new Uint8Array(lines.length)
  for (const [index, [mark]] of lines.entries()) {
    if (mark !== ' ') near.fill(1, Math.max(0, index - CONTEXT), index + CONTEXT + 1)
  }
  const formatted: string[] = []
  let [oldLine, newLine] = [1, 1]
  for (const [index, [mark, text]] of lines.entries()) {
    if (near[index] === 1) {
      if (near[index - 1] !== 1) formatted.push(headerOf(lines, index, near, oldLine, newLine))
      formatted.push(`${mark}${text}`)
    }
    if (mark !== '+') oldLine += 1
    if (mark !== '-') newLine += 1
  }
  return formatted.join('\n')
}

const headerOf = (lines: readonly Line[], from: number, near: Uint8Array, oldLine: number, newLine: number): string => {
  let to = from
  while (near[to] === 1) to += 1
  const hunk = lines.slice(from, to)
  const countOthers = (mark: Line[0]): number => hunk.filter(line => line[0] !== mark).length
  return `@@ -${oldLine},${countOthers('+')} +${newLine},${countOthers('-')} @@`
}

interface Merged {
  readonly text: string
  /** Number of places where both changed the same lines. Both versions are kept there between marks. */
  readonly conflicts: number
}

/** Marks around both versions, each on a line of its own. */
export const MARKS = { ours: '<<<<<<< yours', between: '=======', theirs: '>>>>>>> theirs' } as const

/** Lines of a stretch in each of the three texts. */
interface Stretch {
  readonly base: string[]
  readonly ours: string[]
  readonly theirs: string[]
}

/**
 * Merges two edits of one text by line (a three-way merge, as `diff3`). A line that one person changed is taken from
 * that person; when both changed a line, both versions stay for a person to choose. No line of either is lost. Changes
 * with only empty lines in between are one change, so that several new paragraphs are between one pair of marks.
 */
export const mergeTexts = (base: string, ours: string, theirs: string): Merged => {
  const lines: string[] = []
  let conflicts = 0
  for (const stretch of joined(stretchesOf(base.split('\n'), ours.split('\n'), theirs.split('\n')))) {
    const chosen = chosenOf(stretch.base, stretch.ours, stretch.theirs)
    if (chosen === null) conflicts += 1
    // One by one: a call cannot have hundreds of thousands of arguments.
    for (const each of chosen ?? [MARKS.ours, ...stretch.ours, MARKS.between, ...stretch.theirs, MARKS.theirs]) {
      lines.push(each)
    }
  }
  return { text: lines.join('\n'), conflicts }
}

/** Splits the texts into stretches: each line that all three have, and the lines between two of them. */
const stretchesOf = (base: readonly string[], ours: readonly string[], theirs: readonly string[]): Stretch[] => {
  const inOurs = axisPositions(base, ours)
  const inTheirs = axisPositions(base, theirs)
  const stretches: Stretch[] = []
  let [from, ourFrom, theirFrom] = [0, 0, 0]
  for (let line = 0; line <= base.length; line += 1) {
    const [ourTo, theirTo] = [inOurs[line], inTheirs[line]]
    if (ourTo === undefined || theirTo === undefined) continue
    stretches.push({
      base: base.slice(from, line),
      ours: ours.slice(ourFrom, ourTo),
      theirs: theirs.slice(theirFrom, theirTo),
    })
    if (line < base.length) {
      const kept = base[line] ?? ''
      stretches.push({ base: [kept], ours: [kept], theirs: [kept] })
    }
    from = line + 1
    ourFrom = ourTo + 1
    theirFrom = theirTo + 1
  }
  return stretches
}

const isKept = ({ base, ours, theirs }: Stretch): boolean => isSame(base, ours) && isSame(base, theirs)
const isEmpty = ({ base }: Stretch): boolean => base.every(line => line.trim() === '')
const isConflict = ({ base, ours, theirs }: Stretch): boolean => chosenOf(base, ours, theirs) === null

/** Joins each run of changes with no word in between, when both changed the same lines in one of them. */
const joined = (stretches: readonly Stretch[]): readonly Stretch[] => {
  const runs: Stretch[] = []
  for (let first = 0; first < stretches.length; ) {
    let [end, lastChanged] = [first, -1]
    for (let each = stretches[end]; each !== undefined && (!isKept(each) || isEmpty(each)); each = stretches[end]) {
      if (!isKept(each)) lastChanged = end
      end += 1
    }
    const run = stretches.slice(first, Math.max(lastChanged, first) + 1)
    if (run.some(isConflict)) runs.push(together(run))
    else for (const each of run) runs.push(each)
    first += run.length
  }
  return runs
}

const together = (run: readonly Stretch[]): Stretch => ({
  base: run.flatMap(({ base }) => base),
  ours: run.flatMap(({ ours }) => ours),
  theirs: run.flatMap(({ theirs }) => theirs),
})

/** Position in `after` of each line of `before`, undefined for a missing one; the last entry is the end of both. */
const axisPositions = (before: readonly string[], after: readonly string[]): readonly (number | undefined)[] => {
  const places: (number | undefined)[] = []
  let index = 0
  for (const [mark] of markedLines(before, after)) {
    if (mark !== '+') places.push(mark === ' ' ? index : undefined)
    if (mark !== '-') index += 1
  }
  return [...places, after.length]
}

/** The lines that only one changed, or that both changed alike; null when the versions differ. */
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
