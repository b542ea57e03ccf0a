/** Those who are to hear of a change of what is kept outside of React: `watch` is for `useSyncExternalStore`. */
export const createWatchers = () => {
  const watchers = new Set<() => void>()
  return {
    tell: (): void => {
      for (const notify of watchers) notify()
    },
    watch: (notify: () => void): (() => void) => {
      watchers.add(notify)
      return () => {
        watchers.delete(notify)
      }
    },
  }
}
