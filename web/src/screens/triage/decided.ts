import { createWatchers } from '../../watchers.ts'
import type { Signal } from './decision.ts'

type Versioned = Pick<Signal, 'id' | 'version'>

/**
 * Signals that were decided away from a list, by id: the version that the decision made, or null while its answer is on
 * the way.
 */
export type Decided = ReadonlyMap<string, number | null>

/**
 * Whether what a list answered is older than a decision: then the Signal stays away, whenever the list was read and in
 * whatever order answers come. What it became since then, by an undo or by a colleague, has a higher version, and
 * shows.
 */
export const isAway = (decided: Decided, { id, version }: Versioned): boolean => {
  const made = decided.get(id)
  return made !== undefined && (made === null || version < made)
}

export const createDecided = () => {
  let decided: Decided = new Map()
  const { tell, watch } = createWatchers()
  const change = (edit: (next: Map<string, number | null>) => void) => {
    const next = new Map(decided)
    edit(next)
    decided = next
    tell()
  }
  return {
    now: (): Decided => decided,
    watch,
    /** They are decided on: out of sight before it is sent. */
    leave: (ids: Iterable<string>) =>
      change(next => {
        for (const id of ids) next.set(id, null)
      }),
    /** The service said no, or nothing. */
    comeBack: (ids: Iterable<string>) =>
      change(next => {
        for (const id of ids) next.delete(id)
      }),
    /** What the service answered of those that left: each as it is by the decision. */
    settle: (ids: Iterable<string>, signals: readonly Versioned[]) => {
      const made = new Map(signals.map(({ id, version }) => [id, version]))
      change(next => {
        for (const id of ids) {
          const version = made.get(id)
          if (version === undefined) next.delete(id)
          else next.set(id, version)
        }
      })
    },
  }
}

/**
 * Of the page, and not of a screen: whoever comes back to the list while decisions are on their way finds it as they
 * left it.
 */
export const decidedSignals = createDecided()
