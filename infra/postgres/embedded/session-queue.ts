import type { Priority } from '../port.ts'

/** One caller's work on the engine: the bytes of a cycle, and where the answer goes. */
interface Job<Caller> {
  readonly caller: Caller
  readonly priority: Priority
  readonly run: () => 'done' | 'hold'
  readonly askedAt: number
}

/** So many turns of people pass before the pipeline has one. */
const MAX_PASSED = 3
/**
 * The engine is kept free for so long after the others used it: who asked for one thing asks for the next, and a
 * transaction of bulk that has begun is not interrupted.
 */
const KEPT_FREE_MS = 100
/** Turns of bulk are so short at least that shorter ones do not come sooner. */
const SHORTEST_MS = 20
/** So many times what its last turn took passes before bulk has one, however busy the engine is: a tenth of it. */
const BULK_WAITS_TIMES = 9

/**
 * Who may use the engine. It has a single session, so a caller that has begun a transaction keeps it until that ends.
 * The others wait in the order in which they came: people first, then the pipeline, but not behind more than a few of
 * them, or whoever asks without a pause would hold the pipeline up for ever. Bulk takes what both leave, and a share of
 * the time when they leave nothing.
 */
export class SessionQueue<Caller> {
  #waiting: Job<Caller>[] = []
  #holder: Job<Caller> | null = null
  #scheduled = false
  #timer: NodeJS.Timeout | undefined
  /** Turns of people since the pipeline began to wait, or had its last. */
  #passed = 0
  #othersAt = Number.NEGATIVE_INFINITY
  readonly #bulk = { beganAt: 0, endedAt: Number.NEGATIVE_INFINITY, tookMs: 0 }

  /** Runs `run` in the caller's turn; `hold` keeps the turn for what this caller sends next. */
  take(caller: Caller, run: () => 'done' | 'hold', priority: Priority = 'people'): void {
    this.#waiting.push({ caller, priority, run, askedAt: performance.now() })
    this.#schedule()
  }

  holds(caller: Caller): boolean {
    return this.#holder?.caller === caller
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
    if (this.#holder?.caller !== caller) return
    this.#ended(this.#holder)
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

  #first(priority: Priority): number {
    return this.#waiting.findIndex(job => job.priority === priority)
  }

  #nextIndex(): number {
    const holder = this.#holder
    if (holder !== null) return this.#waiting.findIndex(({ caller }) => caller === holder.caller)
    const bulk = this.#first('bulk')
    if (bulk !== -1 && this.#isOwedTo(this.#waiting[bulk])) return bulk
    const [people, pipeline] = [this.#first('people'), this.#first('pipeline')]
    const next = people === -1 || (pipeline !== -1 && this.#passed >= MAX_PASSED) ? pipeline : people
    this.#passed = next === people && pipeline !== -1 ? this.#passed + 1 : 0
    if (next !== -1 || bulk === -1) return next
    const waitMs = this.#othersAt + KEPT_FREE_MS - performance.now()
    if (waitMs <= 0) return bulk
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#schedule(), waitMs)
    return -1
  }

  #isOwedTo(job: Job<Caller> | undefined): boolean {
    const since = Math.max(this.#bulk.endedAt, job?.askedAt ?? 0)
    return performance.now() - since >= BULK_WAITS_TIMES * Math.max(SHORTEST_MS, this.#bulk.tookMs)
  }

  #runNext(): void {
    const index = this.#nextIndex()
    const [job] = index === -1 ? [] : this.#waiting.splice(index, 1)
    if (job === undefined) return
    if (this.#holder === null && job.priority === 'bulk') this.#bulk.beganAt = performance.now()
    if (job.run() === 'hold') this.#holder = job
    else this.#ended(job)
    if (this.#waiting.length > 0) this.#schedule()
  }

  #ended({ priority }: Job<Caller>): void {
    this.#holder = null
    const now = performance.now()
    if (priority !== 'bulk') this.#othersAt = now
    else {
      this.#bulk.tookMs = now - this.#bulk.beganAt
      this.#bulk.endedAt = now
    }
  }
}
