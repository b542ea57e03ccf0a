/** What changed between two texts, by line. */
interface Differences {
  readonly added: number
  readonly removed: number
  /** Unified, with three lines around each change; empty when the texts are the same. */
  readonly text: string
}

type Line = readonly [mark: ' ' | '-' | '+', text: string]

const CONTEXT = 3
/** With more changed lines than this between two texts, they are told as one replaced by the other. */
const MAX_STEPS = 500

export const differencesOf = (before: string, after: string): Differences => {
  const lines = markedLines(linesOf(before), linesOf(after))
  const count = (mark: Line[0]): number => lines.filter(line => line[0] === mark).length
  return { added: count('+'), removed: count('-'), text: hunksOf(lines) }
}

/** A text that says nothing has no lines. */
const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.split('\n'))

/** All lines of both, each marked as kept, removed or added. */
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

/** The furthest line of `before` on each diagonal; the first of them is the lowest diagonal. */
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
  // What that was before each step.
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

/** The diagonal that a step came from: the one above by adding a line, the one below by removing one. */
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
  // By line, whether it is shown: 1, or 0.
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
  /** Places where both changed the same lines: both are kept there, between marks. */
  readonly conflicts: number
}

/** The marks around what both wrote in one place, each on a line of its own. */
export const MARKS = { ours: '<<<<<<< yours', between: '=======', theirs: '>>>>>>> theirs' } as const

/**
 * What two people made of one text, brought together by line (a three-way merge, as of `diff3`): a line that one of
 * them changed is as they have it; where both changed, both are kept for a person to choose. No line of either is lost.
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
    // One by one: hundreds of thousands of lines are too many arguments of one call.
    for (const each of chosen ?? [MARKS.ours, ...between[1], MARKS.between, ...between[2], MARKS.theirs]) {
      lines.push(each)
    }
    if (line < baseLines.length) lines.push(baseLines[line] ?? '')
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
