import { useRef, useState } from 'react'
import { toPeople } from '../../api/http.ts'
import { callOnce, type Output } from '../../api/operations.ts'
import { createTurns } from '../../api/turns.ts'
import { t } from '../../language/messages.ts'
import { notifyFailed } from '../../shell/notify.tsx'
import { decidedSignals } from './decided.ts'
import { type Decision, describeDecision, leavesList, type Signal } from './decision.ts'
import type { Inbox } from './use-inbox.ts'
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

/** Of the page: a screen that is left goes on deciding what was asked for. */
const inTurn = createTurns()

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

  const decide = (signals: readonly Signal[], decision: Decision): void => {
    if (signals.length === 0) return
    const leaving = new Set(leavesList(decision, filters) ? signals.map(({ id }) => id) : [])
    if (leaving.size > 0) onLeave(leaving)
    decidedSignals.leave(leaving)
    const doneMessage = describeDecision(signals, decision)
    const input = { ...decision, signals: signals.map(({ id, version }) => ({ signal_id: id, version })) }
    inTurn(() => callOnce('triage_signals', input, { keepalive: true }), { isFree: true }).then(
      ({ data: { signals: made, decision: logged, unchanged } }) => {
        inbox.settle(leaving, made)
        remember(before => withDecision(before, logged, { doneMessage, id: signals[0]?.id }))
        setStatus(unchanged === null ? doneMessage : toPeople(unchanged))
      },
      error => {
        decidedSignals.comeBack(leaving)
        sayFailed(error, doneMessage)
      },
    )
  }

  const undo = (): void => {
    const takeBack = async () => {
      const last = history.current.at(-1)
      if (last === undefined) return setStatus(t('There is nothing to undo.'))
      await callOnce('triage', { action: 'undo', decision_id: last.decision })
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

  return { decide, undo, didElsewhere, status, canUndo: done.length > 0 }
}
