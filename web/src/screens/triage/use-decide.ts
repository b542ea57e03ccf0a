import { useRef, useState } from 'react'
import { Problem, toPeople } from '../../api/http.ts'
import { callOnce, type Output } from '../../api/operations.ts'
import { createWriteQueue } from '../../api/write-queue.ts'
import { counted, t } from '../../language/messages.ts'
import { notifyFailed, notifyRefused } from '../../shell/notify.tsx'
import { decidedSignals } from './decided.ts'
import { type Decision, describeDecision, leavesList, type Signal, stateAfter } from './decision.ts'
import type { Inbox } from './use-inbox.ts'
import { takenBy } from './use-taken.ts'
import type { Filters } from './view.ts'

interface Done {
  readonly doneMessage: string
  readonly decision: string
  /** The first of them, to come back to. */
  readonly id: string | undefined
}

type Logged = Output<'triage_signals'>['decision']

/** What changed nothing has no Decision, and nothing to undo. */
const withDecision = (before: readonly Done[], decision: Logged, done: Omit<Done, 'decision'>): readonly Done[] =>
  decision === null ? before : [...before, { ...done, decision: decision.reference }]

/** Of so many that somebody else decided on meanwhile it is said what became of them. */
const MAX_TAKEN = 5

/** Of the page: a screen that is left goes on deciding what was asked for. */
const inTurn = createWriteQueue()

interface Ports {
  readonly inbox: Inbox
  readonly filters: Filters
  /** Called before Signals leave the list: the cursor goes on. */
  readonly onLeave: (ids: ReadonlySet<string>) => void
  readonly onBack: (id: string) => void
}

/**
 * Decides, one decision after the other in the order of the keys, while the list is already as it will be. What the
 * service refuses is shown, and the list read again. Remembers what was done, for undo.
 */
export const useDecide = ({ inbox, filters, onLeave, onBack }: Ports) => {
  const [status, setStatus] = useState('')
  const [done, setDone] = useState<readonly Done[]>([])
  const history = useRef<Done[]>([])

  const remember = (change: (before: readonly Done[]) => readonly Done[]) => {
    history.current = [...change(history.current)]
    setDone(history.current)
  }

  /** What fails is shown as it was before, at once: whatever is read again for it may not come. */
  const sayFailed = (error: unknown, what: string): void => {
    setStatus('')
    notifyFailed(error, t('Not done: {what}', { what }), t('It is shown as it was before.'))
    void inbox.again()
  }

  /**
   * Somebody else has decided on one of them meanwhile: says who and what, and gives back the reason that was written.
   * Where they decided the same on the only one, nothing has failed.
   */
  const sayTaken = async (error: Problem, signals: readonly Signal[], decision: Decision): Promise<void> => {
    const what = describeDecision(signals, decision)
    const found = await Promise.all(
      signals.slice(0, MAX_TAKEN).map(async ({ reference, version }) => {
        const taken = await takenBy(reference).catch(() => null)
        return taken === null || taken.version === version ? [] : [taken]
      }),
    )
    const taken = found.flat()
    const [only] = taken
    if (only === undefined) return sayFailed(error, what)
    void inbox.again()
    if (signals.length === 1 && only.state === stateAfter(decision)) return setStatus(only.said)
    setStatus('')
    notifyRefused(
      t('Not done: {what}', { what }),
      [
        ...taken.map(({ said }) => said),
        ...(decision.comment === undefined ? [] : [t('Your reason was: {reason}', { reason: decision.comment })]),
      ].join(' '),
    )
  }

  const decide = (signals: readonly Signal[], decision: Decision): void => {
    if (signals.length === 0) return
    const leaving = new Set(leavesList(decision, filters) ? signals.map(({ id }) => id) : [])
    if (leaving.size > 0) onLeave(leaving)
    decidedSignals.leave(leaving)
    const doneMessage = describeDecision(signals, decision)
    const input = { ...decision, signals: signals.map(({ id, version }) => ({ signal_id: id, version })) }
    inTurn(() => callOnce('triage_signals', input, { keepalive: true }), { isFree: true }).then(
      ({ data: { signals: made, decision: logged, unchanged, started_claims: started } }) => {
        inbox.settle(leaving, made)
        remember(before => withDecision(before, logged, { doneMessage, id: signals[0]?.id }))
        setStatus(unchanged === null ? withStarted(doneMessage, started) : toPeople(unchanged))
      },
      error => {
        decidedSignals.comeBack(leaving)
        if (error instanceof Problem && error.code === 'conflict') void sayTaken(error, signals, decision)
        else sayFailed(error, doneMessage)
      },
    )
  }

  const undo = (): void => {
    const takeBack = async () => {
      const last = history.current.at(-1)
      if (last === undefined) return setStatus(t('There is nothing to undo.'))
      await callOnce('triage', { action: 'undo', decision_id: last.decision }, { asks: true })
      remember(before => before.slice(0, -1))
      await inbox.again()
      if (last.id !== undefined) onBack(last.id)
      setStatus(t('{doneMessage}: undone', { doneMessage: last.doneMessage }))
    }
    inTurn(takeBack, { isFree: false }).catch(error => sayFailed(error, t('undo')))
  }

  /** Adds what was decided elsewhere, such as a merge, to what can be undone. */
  const didElsewhere = (doneMessage: string, decision: Logged, id: string | undefined): void => {
    remember(before => withDecision(before, decision, { doneMessage, id }))
    setStatus(doneMessage)
    void inbox.again()
  }

  const isOwn = (decision: string): boolean => history.current.some(each => each.decision === decision)

  return { decide, undo, didElsewhere, isOwn, say: setStatus, status, canUndo: done.length > 0 }
}

/** Accepted signals that had no claim have one of their own now, which is said. */
const withStarted = (doneMessage: string, started: readonly { readonly reference: string }[]): string =>
  started.length === 0
    ? doneMessage
    : t('{doneMessage}. New: {claims}', {
        doneMessage,
        claims: started.length > 3 ? counted(started.length, 'claim') : started.map(each => each.reference).join(', '),
      })
