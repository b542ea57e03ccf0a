interface Window {
  times: number
  readonly endsAt: number
}

export interface WindowCounts {
  /** Counts so many more under a key, one unless told; what its window has now. */
  count(key: string, times?: number): Counted
  /** What a key's window has; null when none is under way. */
  read(key: string): Counted | null
  /** Whether no key has a window under way. */
  isEmpty(): boolean
  /** The windows under way, those that end first before others. */
  windows(): OpenWindow[]
  /** Goes on with windows that another program began. To be called before anything is counted. */
  resume(windows: readonly OpenWindow[]): void
}

/** A window under way. */
export interface OpenWindow {
  readonly key: string
  readonly times: number
  /** Milliseconds until it ends. */
  readonly left: number
}

export interface Counted {
  readonly times: number
  /** Until the window ends, at least 1. */
  readonly seconds: number
}

/**
 * Counts in memory, each key within a window of so many seconds that begins with its first, by a clock in milliseconds
 * that nobody sets back. At once, where `rate-limiter-flexible` has a promise and a timer for each key.
 */
export const createWindowCounts = (windowSeconds: number, now = () => performance.now()): WindowCounts => {
  /** All windows are equally long, so the first of the map is the first to end. */
  const windows = new Map<string, Window>()
  let firstEndsAt = Number.POSITIVE_INFINITY

  const forgetEnded = (at: number): void => {
    // Going over a map makes an object for each entry, which most requests need not.
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
