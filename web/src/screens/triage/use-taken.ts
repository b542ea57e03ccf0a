import { useEffect, useRef } from 'react'
import { call } from '../../api/operations.ts'
import { fromStored, t, word } from '../../language/messages.ts'
import { decidedSignals, isAway } from './decided.ts'
import type { Signal } from './decision.ts'

interface Ports {
  readonly items: readonly Signal[]
  readonly cursor: string | null
  /** Which list it is: another one has other rows, and nobody took any. */
  readonly list: string
  /** Whether a Decision, by its reference, was made on this page. */
  readonly isOwn: (decision: string) => boolean
  readonly say: (sentence: string) => void
}

/** Says who decided what, where somebody else's Decision takes the row of the cursor out of the list. */
export const useTaken = ({ items, cursor, list, isOwn, say }: Ports): void => {
  const before = useRef({ items, cursor, list })
  const newest = useRef({ isOwn, say })
  newest.current = { isOwn, say }
  useEffect(() => {
    const was = before.current
    before.current = { items, cursor, list }
    const taken = was.list === list ? was.items.find(({ id }) => id === was.cursor) : undefined
    if (taken === undefined || items.some(({ id }) => id === taken.id) || isAway(decidedSignals.now(), taken)) return
    const { reference } = taken
    void takenBy(reference).then(
      taken => taken !== null && !newest.current.isOwn(taken.decision) && newest.current.say(taken.said),
      // An erased one has no Decision to say.
      () => {},
    )
  }, [items, cursor, list])
}

interface Taken {
  /** The reference of the Decision. */
  readonly decision: string
  readonly state: Signal['state']
  readonly version: number | undefined
  readonly said: string
}

/** Whose Decision the newest about a signal is and what it made of it; null where there is none. */
export const takenBy = async (reference: string): Promise<Taken | null> => {
  const [decisions, found] = await Promise.all([
    call('lookup_decision', { about: reference, limit: 1 }),
    call('lookup_signal', { id: reference, depth: 'summary' }),
  ])
  const [decision] = decisions.data.items
  if (decision === undefined) return null
  const state = found.data.signal?.state ?? 'triage'
  const said = { reference, name: decision.made_by, text: fromStored(decision.text) }
  return {
    decision: decision.reference,
    state,
    version: found.data.signal?.version,
    said:
      state === 'triage'
        ? t('{name} decided on {reference}: {text}', said)
        : // What is logged of an ordinary one says the same.
          decision.text.startsWith(reference)
          ? t('{reference} {state} by {name}.', { ...said, state: word(state) })
          : t('{reference} {state} by {name}: {text}', { ...said, state: word(state) }),
  }
}
