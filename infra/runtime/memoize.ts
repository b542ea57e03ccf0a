/** Runs `load` until it succeeds once; callers at the same time share a run. */
export const memoizeSuccess = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let loaded: Promise<T> | null = null
  return () => {
    loaded ??= load().catch(error => {
      loaded = null
      throw error
    })
    return loaded
  }
}

/** Runs `work`; callers while a run is under way share it, and whoever comes after it starts the next. */
export const shareConcurrentRuns = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | null = null
  return () => {
    running ??= work().finally(() => {
      running = null
    })
    return running
  }
}
