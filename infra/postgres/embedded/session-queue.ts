import { timerMs } from '../../runtime/timers.ts'
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
 * A call asks several times, a moment apart: the pipeline stays back for so long after a person's turn, so that a call
 * waits once for its end and not each time.
 */
const KEPT_FOR_PEOPLE_MS = 4
/**
 * The engine is kept free for so long after people or live work used it: who asked for one thing asks for the next, and
 * a transaction of bulk that has begun is not interrupted. Polling asks for one thing: it comes several times a second,
 * and bulk would stand still for half of the time.
 */
const KEPT_FREE_MS = 100
/** Turns of bulk are so short at least that shorter ones do not come sooner. */
const SHORTEST_MS = 20
/** So many times what its last turn took passes before bulk has one, however busy the engine is: a tenth of it. */
const BULK_WAITS_TIMES = 9
/** However long its last turn took. A client gives up after half a minute, and who asks anew waits anew: for ever. */
const LONGEST_WAIT_MS = 2000

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
  readonly #keptForPeopleMs: number
  #timer: NodeJS.Timeout | undefined
  /** Turns of people since the pipeline began to wait, or had its last. */
  #passed = 0
  #peopleAt = Number.NEGATIVE_INFINITY
  #othersAt = Number.NEGATIVE_INFINITY
  readonly #bulk = { beganAt: 0, endedAt: Number.NEGATIVE_INFINITY, tookMs: 0 }

  constructor({ keptForPeopleMs = KEPT_FOR_PEOPLE_MS }: { readonly keptForPeopleMs?: number } = {}) {
    this.#keptForPeopleMs = keptForPeopleMs
  }

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

  /** For how long nobody has used the engine but bulk and polling, in milliseconds. */
  get quietMs(): number {
    const isWanted = this.#first('people', 'pipeline') !== -1
    return isWanted || this.#holder !== null ? 0 : performance.now() - this.#othersAt
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

  #first(...priorities: readonly Priority[]): number {
    return this.#waiting.findIndex(job => priorities.includes(job.priority))
  }

  #nextIndex(): number {
    const holder = this.#holder
    if (holder !== null) return this.#waiting.findIndex(({ caller }) => caller === holder.caller)
    const bulk = this.#first('bulk')
    if (bulk !== -1 && this.#isOwedTo(this.#waiting[bulk])) return bulk
    const [people, pipeline] = [this.#first('people'), this.#first('pipeline', 'polling')]
    const isOwed = pipeline !== -1 && this.#passed >= MAX_PASSED
    if (people !== -1 && !isOwed) {
      this.#passed = pipeline === -1 ? 0 : this.#passed + 1
      return people
    }
    if (pipeline !== -1) {
      if (!isOwed && this.#looksAgainAt(this.#peopleAt + this.#keptForPeopleMs)) return -1
      this.#passed = 0
      return pipeline
    }
    return bulk === -1 || this.#looksAgainAt(this.#othersAt + KEPT_FREE_MS) ? -1 : bulk
  }

  /** Whether that time is still to come; the next turn is then looked for again. */
  #looksAgainAt(time: number): boolean {
    const waitMs = time - performance.now()
    if (waitMs <= 0) return false
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#schedule(), timerMs(waitMs))
    return true
  }

  #isOwedTo(job: Job<Caller> | undefined): boolean {
    const since = Math.max(this.#bulk.endedAt, job?.askedAt ?? 0)
    const waitMs = Math.min(BULK_WAITS_TIMES * Math.max(SHORTEST_MS, this.#bulk.tookMs), LONGEST_WAIT_MS)
    return performance.now() - since >= waitMs
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
    if (priority === 'people') this.#peopleAt = now
    if (priority === 'people' || priority === 'pipeline') this.#othersAt = now
    if (priority === 'bulk') {
      this.#bulk.tookMs = now - this.#bulk.beganAt
      this.#bulk.endedAt = now
    }
  }
}
