/** Shares a thread between the lanes: bulk runs freely while live is idle, and for a part of the time while it is not. */
export interface LaneScheduler {
  /** Notes that live has work. */
  liveRuns(): void
  /** Whether live had work lately, and may have more at any moment. */
  isLiveBusy(): boolean
  /** How long the next batch of bulk has to stay back, in milliseconds; 0 takes its turn. */
  bulkWaitMs(): number
  /** Notes that a batch of bulk is over, which took so long. */
  bulkRan(tookMs: number): void
}

export interface LaneShareOptions {
  /** Live counts as idle when it had no batch for so long. */
  readonly idleAfterMs: number
  /** The part of the time that bulk has while live is busy, above 0 and at most 1. */
  readonly bulkPart: number
  readonly now: () => number
}

/** However long a batch took: bulk is behind live, and goes on all the same. */
const LONGEST_WAIT_MS = 2000

export const createLaneScheduler = ({ idleAfterMs, bulkPart, now }: LaneShareOptions): LaneScheduler => {
  let liveAt = Number.NEGATIVE_INFINITY
  let bulkFrom = Number.NEGATIVE_INFINITY
  const isLiveBusy = () => now() - liveAt < idleAfterMs
  return {
    isLiveBusy,
    liveRuns: () => {
      liveAt = now()
    },
    bulkWaitMs: () => Math.max(0, Math.min(bulkFrom, liveAt + idleAfterMs) - now()),
    bulkRan: tookMs => {
      // From what is owed already: the batches of several groups add up.
      const from = Math.max(bulkFrom, now()) + tookMs * (1 / bulkPart - 1)
      bulkFrom = Math.min(from, now() + LONGEST_WAIT_MS)
    },
  }
}
