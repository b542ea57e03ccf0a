import { timerMs } from '../../runtime/timers.ts'
import type { Priority } from '../port.ts'

/** A caller's work on the engine. `run` performs a cycle, and says if the caller keeps the session. */
interface Job<Caller> {
  readonly caller: Caller
  readonly priority: Priority
  readonly run: () => 'done' | 'hold'
  readonly askedAt: number
}

/** Maximum of people's turns before a waiting pipeline gets one. */
const MAX_PASSED = 3
/**
 * After a person's turn the pipeline waits this long, ms: a request sends several statements a moment apart, and so
 * waits once for the pipeline, not after each statement.
 */
const KEPT_FOR_PEOPLE_MS = 4
/**
 * Bulk waits this long after people or live work, ms: more work of theirs is likely, and a bulk transaction is not
 * interrupted. Polling does not count: it comes several times a second with a single statement, and bulk would stand
 * still half of the time.
 */
const KEPT_FREE_MS = 100
/** Shorter bulk turns count as this long, ms. */
const SHORTEST_MS = 20
/**
 * Bulk gets a turn after this multiple of its last turn's duration, however busy the engine is: a tenth of the time.
 */
const BULK_WAITS_TIMES = 9
/** Upper limit of that wait, ms. A client gives up after 30 s and would start to wait again. */
const LONGEST_WAIT_MS = 2000

/**
 * Decides who uses the engine's single session.
 *
 * - Free: `#holder` is null. The next job is chosen by priority: bulk when its share is due; people, but at most three
 *   in a row while the pipeline waits; pipeline and polling 4 ms after people; bulk 100 ms after people and pipeline.
 * - Running: `run` blocks the thread. `done` makes the session free, `hold` makes the caller its holder.
 * - Held: only jobs of the holder run, until one of them returns `done` or the caller is released.
 *
 * When no job may run yet, a timer looks again. Between two jobs the event loop reads the sockets.
 */
export class SessionQueue<Caller> {
  #waiting: Job<Caller>[] = []
  #holder: Job<Caller> | null = null
  #scheduled = false
  readonly #keptForPeopleMs: number
  #timer: NodeJS.Timeout | undefined
  /** People's turns since the pipeline began to wait or had its last turn. */
  #passed = 0
  #peopleAt = Number.NEGATIVE_INFINITY
  #othersAt = Number.NEGATIVE_INFINITY
  readonly #bulk = { beganAt: 0, endedAt: Number.NEGATIVE_INFINITY, tookMs: 0 }

  constructor({ keptForPeopleMs = KEPT_FOR_PEOPLE_MS }: { readonly keptForPeopleMs?: number } = {}) {
    this.#keptForPeopleMs = keptForPeopleMs
  }

  /** Runs `run` in the caller's turn. `hold` keeps the session for the caller's next job. */
  take(caller: Caller, run: () => 'done' | 'hold', priority: Priority = 'people'): void {
    this.#waiting.push({ caller, priority, run, askedAt: performance.now() })
    this.#schedule()
  }

  holds(caller: Caller): boolean {
    return this.#holder?.caller === caller
  }

  /** True when another caller waits. */
  hasOthers(caller: Caller): boolean {
    return this.#waiting.some(job => job.caller !== caller)
  }

  /** How long only bulk and polling have used the engine, ms. */
  get quietMs(): number {
    const isWanted = this.#first('people', 'pipeline') !== -1
    return isWanted || this.#holder !== null ? 0 : performance.now() - this.#othersAt
  }

  /** Forgets the caller's waiting jobs. */
  drop(caller: Caller): void {
    this.#waiting = this.#waiting.filter(job => job.caller !== caller)
  }

  release(caller: Caller): void {
    if (this.#holder?.caller !== caller) return
    this.#ended(this.#holder)
    this.#schedule()
  }

  // Sockets are read between two jobs: the engine blocks the thread while it works.
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

  /** True when the time is still to come; a timer then chooses again. */
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
