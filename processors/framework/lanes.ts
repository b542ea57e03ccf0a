/** Shares a segment between its lanes: bulk runs freely while live is idle, and one small batch now and then while it is not. */
export interface LaneShare {
  /** Notes that live has work. */
  liveRuns(): void
  /** Whether live had work lately, and may have more at any moment. */
  isLiveBusy(): boolean
  /** How long the next batch of bulk has to stay back, in milliseconds; 0 takes its turn. */
  bulkWaitMs(): number
}

export interface LaneShareOptions {
  /** Live counts as idle when it had no batch for so long. */
  readonly idleAfterMs: number
  /** How often bulk has a turn while live is busy. */
  readonly bulkEveryMs: number
  readonly now: () => number
}

export const createLaneShare = ({ idleAfterMs, bulkEveryMs, now }: LaneShareOptions): LaneShare => {
  let liveAt = Number.NEGATIVE_INFINITY
  let bulkAt = Number.NEGATIVE_INFINITY
  const isLiveBusy = () => now() - liveAt < idleAfterMs
  return {
    isLiveBusy,
    liveRuns: () => {
      liveAt = now()
    },
    bulkWaitMs: () => {
      const waitMs = isLiveBusy() ? Math.max(0, bulkAt + bulkEveryMs - now()) : 0
      if (waitMs === 0) bulkAt = now()
      return waitMs
    },
  }
}
