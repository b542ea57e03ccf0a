interface Window {
  times: number
  readonly endsAt: number
}

export interface WindowCounts {
  /** Adds to the key's count, 1 unless given. Returns the count of its window. */
  count(key: string, times?: number): Counted
  /** The count of the key's window; null when no window is open. */
  read(key: string): Counted | null
  isEmpty(): boolean
  /** The open windows, those that end first before the others. */
  windows(): OpenWindow[]
  /** Continues windows that an earlier process had open. Call before anything is counted. */
  resume(windows: readonly OpenWindow[]): void
}

export interface OpenWindow {
  readonly key: string
  readonly times: number
  /** Milliseconds until the window ends. */
  readonly left: number
}

export interface Counted {
  readonly times: number
  /** Seconds until the window ends, at least 1. */
  readonly seconds: number
}

/**
 * Counts in memory. A key's window begins with its first count and lasts `windowSeconds` by a monotonic clock.
 * Synchronous: `rate-limiter-flexible` needs a promise and a timer for each key.
 */
export const createWindowCounts = (windowSeconds: number, now = () => performance.now()): WindowCounts => {
  /** All windows have the same length: the map's first entry ends first. */
  const windows = new Map<string, Window>()
  let firstEndsAt = Number.POSITIVE_INFINITY

  const forgetEnded = (at: number): void => {
    // Iterating over a map allocates an object for each entry, which most requests avoid here.
    if (at < firstEndsAt) return
    for (const [key, { endsAt }] of windows) {
      firstEndsAt = endsAt
      if (endsAt > at) return
      windows.delete(key)
    }
    firstEndsAt = Number.POSITIVE_INFINITY
  }

  const counted = ({ times, endsAt }: Window, at: number): Counted => ({
    times,
    seconds: Math.max(1, Math.ceil((endsAt - at) / 1000)),
  })

  return {
    count: (key, times = 1) => {
      const at = now()
      forgetEnded(at)
      const known = windows.get(key)
      const window = known ?? { times: 0, endsAt: at + windowSeconds * 1000 }
      if (known === undefined) {
        windows.set(key, window)
        firstEndsAt = Math.min(firstEndsAt, window.endsAt)
      }
      window.times += times
      return counted(window, at)
    },
    read: key => {
      const at = now()
      forgetEnded(at)
      const window = windows.get(key)
      return window === undefined ? null : counted(window, at)
    },
    isEmpty: () => {
      forgetEnded(now())
      return windows.size === 0
    },
    windows: () => {
      const at = now()
      forgetEnded(at)
      return [...windows].map(([key, { times, endsAt }]) => ({ key, times, left: endsAt - at }))
    },
    resume: begun => {
      const at = now()
      const longest = windowSeconds * 1000
      for (const { key, times, left } of begun.toSorted((a, b) => a.left - b.left))
        if (left > 0) windows.set(key, { times, endsAt: at + Math.min(left, longest) })
      const [first] = windows.values()
      firstEndsAt = first?.endsAt ?? Number.POSITIVE_INFINITY
    },
  }
}
