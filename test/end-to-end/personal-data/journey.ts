import { eventually } from '../../../infra/runtime/testing.ts'
import type { Sent } from './senders.ts'
import type { Contents } from './stores.ts'

interface Trace {
  readonly status: string
  readonly dead_letter: { readonly step: string; readonly sealed: boolean } | null
  readonly steps: readonly { readonly step: string; readonly outcome: string }[]
}

const TIMEOUT_MS = 90_000

/**
 * Waits until each signal has come to its end and its last step is in the activity; answers how each went, by place.
 */
export const waitForEnds = async ({ agent, accepted }: Sent): Promise<ReadonlyMap<string, Trace>> => {
  const ends = new Map<string, Trace>()
  for (const [place, id] of accepted) {
    const end = await eventually(
      `what was sent at ${place} has come to its end`,
      async () => {
        const { data } = await agent.call<Trace>('service_support', { mode: 'signal', id })
        const isReported =
          data.status === 'dead' || data.steps.some(({ step }) => step === 'cluster' || step === 'dedup')
        return data.status !== 'in_pipeline' && isReported ? data : null
      },
      TIMEOUT_MS,
    )
    ends.set(place, end)
  }
  return ends
}

/** What agents and people are shown of the signals, in full. */
export const readAnswers = async ({ agent, person, accepted }: Sent): Promise<Contents> => {
  const answers = new Map<string, string>()
  const ask = async (tool: string, input: Record<string, unknown>) => {
    const answer = await agent.call<unknown>(tool, input)
    answers.set(`${tool} ${JSON.stringify(input)}`, JSON.stringify(answer))
  }
  for (const id of accepted.values()) {
    await ask('service_lookup', { mode: 'signal', id, depth: 'full' })
    await ask('service_support', { mode: 'signal', id })
  }
  await ask('service_lookup', { mode: 'triage', limit: 50 })
  await ask('service_lookup', { mode: 'search', query: 'invoice', limit: 50 })
  await ask('service_lookup', { mode: 'proposals', limit: 50 })
  await ask('service_support', { mode: 'pipeline', limit: 50 })
  await ask('service_support', { mode: 'diagnose' })
  await ask('service_orient', { mode: 'snapshot' })
  await ask('service_connect', { mode: 'list' })
  await ask('service_analyze', {
    mode: 'activity',
    metrics: ['count'],
    group_by: ['source', 'step', 'outcome'],
  })
  answers.set('list_sources', JSON.stringify(await person.call('list_sources')))
  return answers
}
