import { useSyncExternalStore } from 'react'
import { createWatchers } from '../watchers.ts'

/** A claim that a new Solution answers. */
export interface BegunClaim {
  readonly reference: string
  readonly title: string
}

/** A signal that has no claim yet: it gets one, which the new Solution answers. */
export interface BegunSignal {
  readonly reference: string
  readonly text: string
  readonly version: number
  readonly classification: string
}

/** What can be begun from any screen, each in one dialog. */
export type Begun =
  | { readonly what: 'solution'; readonly claims?: readonly BegunClaim[]; readonly signals?: readonly BegunSignal[] }
  | { readonly what: 'signal' }

let begun: Begun | null = null
const { tell, watch } = createWatchers()

/** Opens the dialog of it above the screen, whichever that is; null closes it. */
export const begin = (next: Begun | null): void => {
  begun = next
  tell()
}

export const useBegun = (): Begun | null => useSyncExternalStore(watch, () => begun)

type Evidence = BegunSignal & { readonly claims: readonly BegunClaim[] }

/** Begins a Solution of signals: it answers their claims, and those without one get one together. */
export const beginSolutionOf = (signals: readonly Evidence[]): void => {
  const claims = new Map(signals.flatMap(signal => signal.claims).map(claim => [claim.reference, claim]))
  begin({
    what: 'solution',
    claims: [...claims.values()].map(({ reference, title }) => ({ reference, title })),
    signals: signals.filter(signal => signal.claims.length === 0),
  })
}
