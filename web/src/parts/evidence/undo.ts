import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { callOnce, type Input, type Output } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { notifyDone, notifyFailed, notifyUndoable } from '../../shell/notify.tsx'

export const triage = async (input: Input<'triage'>): Promise<Output<'triage'>> =>
  (await callOnce('triage', input)).data

interface Undoable {
  readonly meta: { readonly change_id?: string | null }
}

/** Undoes a call's whole change; does nothing without one. */
export const undoChange = async ({ meta: { change_id } }: Undoable): Promise<unknown> =>
  change_id == null ? null : callOnce('undo_change', { change_id }, { asks: true })

type Logged = Output<'triage'>['decision']

/** Undoes a Decision in Triage, all of it or nothing; null without a Decision. */
export const undoDecision = async (
  decision: Pick<NonNullable<Logged>, 'id'> | null,
): Promise<Output<'triage'> | null> => (decision === null ? null : triage({ action: 'undo', decision_id: decision.id }))

/** Merges two claims that were kept apart, to undo pulling apart or pulling out. */
export const mergeAgain = async (claim_id: string, into_claim_id: string) =>
  (await callOnce('merge_claims', { claim_id, into_claim_id, lift_refusal: true })).data

/** Undoes a merge that was just decided: the pairs wait again, while pairs that are pulled apart later stay apart. */
export const undoMerge = async (decision: Logged) => {
  const undone = await undoDecision(decision)
  return undoDecision(undone?.decision ?? null)
}

interface Act<Answer> {
  /**
   * The action and its object: `accept SIG-7`. The same change is ignored while it runs, as at a second press. Other
   * changes run after it, when the screen has been read again.
   */
  readonly change: string
  readonly run: () => Promise<Answer>
  /** The result as a sentence. */
  readonly doneMessage: (answer: Answer) => string
  readonly undo: (answer: Answer) => Promise<unknown>
  /** A form says beside what was written that it was not saved: it rejects then, and no notice says it again. */
  readonly isOfForm?: boolean
}

const newestOf = (turns: ReadonlyMap<unknown, Promise<unknown>>) => [...turns.values()].at(-1)

/**
 * Runs undoable actions one at a time: shows a notice with Undo, and reads the screen's data again. `undoLast` undoes
 * the last action, then the one before, at any speed, because each depends on the one before.
 */
export const useUndoableAction = () => {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  /** Running and waiting actions by name, in the person's order. */
  const underWay = useRef(new Map<unknown, Promise<unknown>>())
  const done = useRef<(() => Promise<void>)[]>([])

  const inTurn = useCallback(
    <Result>(name: unknown, work: () => Promise<Result>): Promise<Result> => {
      const before = newestOf(underWay.current)
      const carryOut = async () => {
        await before?.catch(() => {})
        try {
          return await work()
        } finally {
          await queries.invalidateQueries()
          underWay.current.delete(name)
          setBusy(underWay.current.size > 0)
        }
      }
      const turn = carryOut()
      underWay.current.set(name, turn)
      setBusy(true)
      return turn
    },
    [queries],
  )

  const act = useCallback(
    async <Answer>({ change, run, doneMessage, undo, isOfForm = false }: Act<Answer>): Promise<Answer | undefined> => {
      if (underWay.current.has(change)) return
      return inTurn(change, async () => {
        try {
          const answer = await run()
          const takeBack = async () => {
            done.current = done.current.filter(each => each !== takeBack)
            await undo(answer)
          }
          done.current.push(takeBack)
          notifyUndoable(doneMessage(answer), () => inTurn(takeBack, takeBack))
          return answer
        } catch (error) {
          if (isOfForm) throw error
          notifyFailed(error)
        }
      })
    },
    [inTurn],
  )

  const undoLast = useCallback(async () => {
    if (done.current.length + underWay.current.size === 0) return
    try {
      // A running action is the last one, so the undo waits for it.
      const isUndone = await inTurn(Symbol('undo'), async () => {
        const last = done.current.at(-1)
        await last?.()
        return last !== undefined
      })
      if (isUndone) notifyDone(t('Undone.'))
    } catch (error) {
      notifyFailed(error)
    }
  }, [inTurn])

  return { act, busy, undoLast }
}
