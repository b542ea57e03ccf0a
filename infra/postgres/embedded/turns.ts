/** One caller's work on the engine: the bytes of a cycle, and where the answer goes. */
interface Job<Caller> {
  readonly caller: Caller
  readonly background: boolean
  readonly run: () => 'done' | 'hold'
}

/** So many turns of others pass before the background has one. */
const MOST_PASSED = 3

/**
 * Who may use the engine. It has a single session, so a caller that has begun a transaction keeps it until that ends. The others
 * wait in the order in which they came, those in the background behind the others, for whom somebody waits: but not behind more than a
 * few of them, or whoever asks without a pause would hold the background up for ever.
 */
export class Turns<Caller> {
  #waiting: Job<Caller>[] = []
  #holder: Caller | null = null
  #scheduled = false
  /** Turns of others since the background began to wait, or had its last. */
  #passed = 0

  /** Runs `run` in the caller's turn; `hold` keeps the turn for what this caller sends next. */
  take(caller: Caller, run: () => 'done' | 'hold', background = false): void {
    this.#waiting.push({ caller, background, run })
    this.#schedule()
  }

  holds(caller: Caller): boolean {
    return this.#holder === caller
  }

  /** Whether anybody else waits for a turn. */
  hasOthers(caller: Caller): boolean {
    return this.#waiting.some(job => job.caller !== caller)
  }

  /** Forgets what the caller still waits for. */
  drop(caller: Caller): void {
    this.#waiting = this.#waiting.filter(job => job.caller !== caller)
  }

  release(caller: Caller): void {
    if (this.#holder !== caller) return
    this.#holder = null
    this.#schedule()
  }

  // Between two jobs sockets get their turn: the engine blocks the thread while it works.
  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#runNext()
    })
  }

  #nextIndex(): number {
    if (this.#holder !== null) return this.#waiting.findIndex(job => job.caller === this.#holder)
    const behind = this.#waiting.findIndex(job => job.background)
    const before = this.#waiting.findIndex(job => !job.background)
    const next = before === -1 || (behind !== -1 && this.#passed >= MOST_PASSED) ? behind : before
    this.#passed = next === before && behind !== -1 ? this.#passed + 1 : 0
    return next
  }

  #runNext(): void {
    const index = this.#nextIndex()
    const [job] = index === -1 ? [] : this.#waiting.splice(index, 1)
    if (job === undefined) return
    this.#holder = job.run() === 'hold' ? job.caller : null
    if (this.#waiting.length > 0) this.#schedule()
  }
}
