/** The runs of backticks in a text, looked for once. */
export class Backticks {
  private readonly text: string
  private runs: Map<number, number[]> | null = null

  constructor(text: string) {
    this.text = text
  }

  /** Where the next run of exactly so many begins; null where there is none. Places that are asked for only grow. */
  next(length: number, from: number): number | null {
    this.runs ??= runsOf(this.text)
    const places = this.runs.get(length) ?? []
    while ((places.at(-1) ?? from) < from) places.pop()
    return places.at(-1) ?? null
  }
}

/** By their length, where they begin, from the last to the first. */
const runsOf = (text: string): Map<number, number[]> => {
  const runs = new Map<number, number[]>()
  for (const { 0: run, index } of [...text.matchAll(/`+/g)].reverse()) {
    const places = runs.get(run.length) ?? []
    places.push(index)
    runs.set(run.length, places)
  }
  return runs
}
