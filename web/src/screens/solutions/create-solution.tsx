import { Text, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { callOnce } from '../../api/call-once.ts'
import { operationKey } from '../../api/hooks.ts'
import { clip } from '../../parts/clip.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { Picker } from '../../parts/picking/picker.tsx'
import type { BegunClaim, BegunSignal } from '../../shell/begun.ts'
import { ANSWERED } from './answers.tsx'
import { useDecisionChange } from './use-decision-change.ts'

interface Props {
  /** The claims that it is begun from. */
  readonly claims: readonly BegunClaim[]
  /** Signals without a claim that it is begun from. */
  readonly signals?: readonly BegunSignal[]
  readonly onCreated: (reference: string) => void
  readonly onClose: () => void
}

const NAMED = 80

/** Puts a new Solution on the Backlog, answering the claims chosen. */
export const CreateSolution = ({ claims: begun, signals = [], onCreated, onClose }: Props) => {
  const [title, setTitle] = useState(() => clip(begun[0]?.title ?? signals[0]?.text ?? '', MAX_CHARACTERS.title))
  const [summary, setSummary] = useState('')
  const [claims, setClaims] = useState<readonly string[]>(begun.map(({ reference }) => reference))
  const starting = useStartedClaim(signals)
  const creating = useDecisionChange('create_solution', {
    doneMessage: 'The Solution is on the Backlog.',
    onDone: ({ solution }) => onCreated(solution.reference),
  })
  const named = Object.fromEntries(
    begun.map(({ reference, title }) => [reference, `${reference} ${clip(title, NAMED)}`]),
  )
  const because = [...claims, ...signals.map(({ reference }) => reference)].join(', ')
  const decide = async (grounds: { readonly comment?: string; readonly decision_id?: string }) => {
    const started = await starting.start()
    if (started === undefined) return
    const claim_ids = [...claims, ...started]
    creating.decide({
      title: title.trim(),
      ...(summary.trim() !== '' && { summary }),
      ...(claim_ids.length > 0 && { claim_ids }),
      ...grounds,
    })
  }
  return (
    <DecisionDialog
      opened
      size="lg"
      title="New Solution"
      action="Create Solution"
      statement={begun.length + signals.length === 0 || because === '' ? '' : `To be built, for ${because}.`}
      pending={starting.isPending || creating.isPending}
      error={starting.error ?? creating.error}
      ready={title.trim() !== ''}
      onClose={onClose}
      onDecide={grounds => void decide(grounds)}
    >
      <TextInput
        label="Title"
        data-autofocus
        required
        withAsterisk={false}
        maxLength={MAX_CHARACTERS.title}
        value={title}
        onChange={event => setTitle(event.currentTarget.value)}
        // What stands there says what is wrong; whoever knows what to build writes over it.
        onFocus={event => event.currentTarget.select()}
      />
      {signals.length > 0 && (
        <Text size="sm" c="dimmed">
          {signals.map(({ reference }) => reference).join(', ')} {signals.length === 1 ? 'has' : 'have'} no claim yet. A
          new one is made of {signals.length === 1 ? 'it' : 'them'}, which the Solution answers.
        </Text>
      )}
      <Picker type="claim" label="Claims" description={ANSWERED} value={claims} onChange={setClaims} named={named} />
      <Textarea
        label="Summary"
        description="Optional, in Markdown."
        autosize
        minRows={3}
        maxRows={10}
        maxLength={MAX_CHARACTERS.solutionSummary}
        value={summary}
        onChange={event => setSummary(event.currentTarget.value)}
      />
    </DecisionDialog>
  )
}

/** Makes the signals evidence of a new claim, once however often the dialog is sent. `start` answers its reference; undefined when it failed. */
const useStartedClaim = (signals: readonly BegunSignal[]) => {
  const queries = useQueryClient()
  const started = useRef<readonly string[] | null>(signals.length === 0 ? [] : null)
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const start = async (): Promise<readonly string[] | undefined> => {
    if (started.current !== null) return started.current
    setPending(true)
    setError(null)
    try {
      const { data } = await callOnce('triage_signals', {
        action: 'promote',
        kind: signals.every(({ classification }) => classification === 'idea') ? 'opportunity' : 'problem',
        signals: signals.map(({ reference, version }) => ({ signal_id: reference, version })),
      })
      started.current = data.claim === null ? [] : [data.claim.reference]
      for (const name of ['list_signals', 'lookup_signal'] as const) {
        void queries.invalidateQueries({ queryKey: operationKey(name) })
      }
      return started.current
    } catch (failure) {
      setError(failure)
    } finally {
      setPending(false)
    }
  }
  return { start, isPending, error }
}
