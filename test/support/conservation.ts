import assert from 'node:assert/strict'
import { eventually } from '../../infra/runtime/testing.ts'
import type { ActivityAnswer, Agent } from './agent.ts'

const PATIENCE_MS = 90_000

interface SignalAnswer {
  readonly id: string
  readonly occurrences: number
}

/** How many insertions the analytics engine has heard of, and of how many signals. */
export const countInserted = async (agent: Agent): Promise<Readonly<Record<string, number>>> => {
  const { data } = await agent.call<ActivityAnswer>('service_analyze', {
    mode: 'activity',
    metrics: ['count', 'distinct_signals'],
    filters: [
      { field: 'step', op: 'in', values: ['insert'] },
      { field: 'outcome', op: 'in', values: ['next'] },
    ],
  })
  return data.items[0]?.metrics ?? {}
}

/** That the signal is in Triage under its own id, and no other was taken for a repeat of it. */
export const assertInTriage = async (agent: Agent, id: string): Promise<void> => {
  const signal = await eventually(
    `the signal ${id} is in Triage`,
    async () => {
      const { data } = await agent.call<{ signal: SignalAnswer | null }>('service_lookup', { mode: 'signal', id })
      return data.signal
    },
    PATIENCE_MS,
  )
  assert.deepEqual({ id: signal.id, occurrences: signal.occurrences }, { id, occurrences: 0 })
}
