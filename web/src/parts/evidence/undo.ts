import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { callOnce, type Input, type Output } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { notifyDone, notifyFailed, notifyUndoable } from '../../shell/notify.tsx'

export const triage = async (input: Input<'triage'>): Promise<Output<'triage'>> =>
  (await callOnce('triage', input)).data

type Logged = Output<'triage'>['decision']

/** Takes back what a Decision changed in Triage: all of it, or nothing. What changed nothing has none. */
export const undoDecision = async (
  decision: Pick<NonNullable<Logged>, 'id'> | null,
): Promise<Output<'triage'> | null> => (decision === null ? null : triage({ action: 'undo', decision_id: decision.id }))

/** Makes two claims one that were kept apart until now: the way back from pulling apart and pulling out. */
export const mergeAgain = async (claim_id: string, into_claim_id: string) =>
  (await callOnce('merge_claims', { claim_id, into_claim_id, lift_refusal: true })).data

/** Takes back a merge that was just decided: the pairs wait again, where one that is pulled apart later stays apart. */
export const undoMerge = async (decision: Logged) => {
  const undone = await undoDecision(decision)
  return undoDecision(undone?.decision ?? null)
}

interface Act<Answer> {
  /**
   * What it does, and to what: `accept SIG-7`. The same asked again while it is on its way, as by a second press, is
   * left. Anything else is done after it, when the screen has been read again.
   */
  readonly change: string
  readonly run: () => Promise<Answer>
  /** What was done, in a sentence. */
  readonly doneMessage: (answer: Answer) => string
  readonly undo: (answer: Answer) => Promise<unknown>
}

const newestOf = (turns: ReadonlyMap<string, Promise<unknown>>) => [...turns.values()].at(-1)

/**
 * Does something that can be undone, one at a time: says so with a way back, and reads again what is shown. `undoLast`
 * takes back the last, then the one before it.
 */
export const useUndoableAction = () => {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  /** What is on its way, by what it does, in the order in which it was asked for. */
  const underWay = useRef(new Map<string, Promise<unknown>>())
  const done = useRef<(() => Promise<void>)[]>([])

  const act = useCallback(
    async <Answer>({ change, run, doneMessage, undo }: Act<Answer>): Promise<Answer | undefined> => {
      if (underWay.current.has(change)) return
      const before = newestOf(underWay.current)
      const carryOut = async () => {
        await before
        try {
          const answer = await run()
          const takeBack = async () => {
            done.current = done.current.filter(each => each !== takeBack)
            await undo(answer)
            await queries.invalidateQueries()
          }
          done.current.push(takeBack)
          notifyUndoable(doneMessage(answer), takeBack)
          return answer
        } catch (error) {
          notifyFailed(error)
        } finally {
          await queries.invalidateQueries()
          underWay.current.delete(change)
          setBusy(underWay.current.size > 0)
        }
      }
      const turn = carryOut()
      underWay.current.set(change, turn)
      setBusy(true)
      return turn
    },
    [queries],
  )

  const undoLast = useCallback(async () => {
    // What is still on its way is the last.
    await newestOf(underWay.current)
    const last = done.current.at(-1)
    if (last === undefined) return
    try {
      await last()
      notifyDone(t('Undone.'))
    } catch (error) {
      notifyFailed(error)
    }
  }, [])

  return { act, busy, undoLast }
}
