import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { renderLedger } from '../../commands/ledger-table.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import type { InstallationLedger } from '../../model/ledger/installation-ledger.ts'
import type { ActivityAnswer, Agent } from './agent.ts'
import type { LedgerReader } from './ledger.ts'
import type { Lane } from './load.ts'
import { POISON } from './texts.ts'

const TIMEOUT_MS = 240_000
const PAUSE_MS = 500

/**
 * Where the signals that a lane was answered 200 for must have ended: a text that came before in it is an occurrence.
 */
const endsOf = ({ texts }: Lane) => {
  const living = texts.filter(text => text !== POISON)
  const inserted = new Set(living).size
  return { inserted, occurrences: living.length - inserted, dead: texts.length - living.length }
}

/** Asks Postgres alone: to read the whole ledger again and again would take what the pipeline needs to get on. */
const waitForEnds = (reader: LedgerReader, accepted: readonly string[]): Promise<unknown> =>
  eventually(
    `each of ${accepted.length} accepted signals is in Postgres`,
    async () => {
      await sleep(PAUSE_MS)
      return (await reader.missing(accepted)).length === 0
    },
    TIMEOUT_MS,
  ).catch(async error => {
    console.log(renderLedger(await reader.read()))
    throw error
  })

const both = (count: number) => ({ postgres: count, clickhouse: count })

/**
 * That every signal that was answered 200 is accounted for by its id, once, in both stores, and none besides. Prints
 * the ledger, and answers it.
 */
export const assertAccounted = async (
  reader: LedgerReader,
  lanes: readonly Lane[],
  after: string,
): Promise<InstallationLedger> => {
  const accepted = lanes.flatMap(lane => lane.accepted)
  assert.equal(new Set(accepted).size, accepted.length, 'two deliveries were answered the same id')
  await waitForEnds(reader, accepted)
  const ledger = await eventually(
    `all ${accepted.length} accepted signals have ended`,
    async () => {
      await sleep(PAUSE_MS)
      const read = await reader.read()
      if (read.verdict === 'unbalanced') return read
      return read.waiting_on_the_log === 0 && read.verdict === 'balanced' && read.total.received >= accepted.length
        ? read
        : null
    },
    TIMEOUT_MS,
  )
  console.log(`After ${after}, ${accepted.length} accepted:\n${renderLedger({ ...ledger, workspaces: [] })}`)
  console.log('Dead letters:', await reader.deaths())
  assert.deepEqual(ledger.reasons, [])
  const ends = lanes.map(endsOf)
  const sum = (end: 'inserted' | 'occurrences' | 'dead'): number => ends.reduce((total, lane) => total + lane[end], 0)
  assert.partialDeepStrictEqual(ledger.total, {
    received: accepted.length,
    inserted: both(sum('inserted')),
    occurrences: both(sum('occurrences')),
    dead: both(sum('dead')),
    in_progress: 0,
    ended_twice: 0,
    recorded_twice: 0,
    without_receipt: 0,
  })
  assert.deepEqual(await reader.missing(accepted), [])
  return ledger
}

const IN_TRIAGE_TIMEOUT_MS = 90_000

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
    IN_TRIAGE_TIMEOUT_MS,
  )
  assert.deepEqual({ id: signal.id, occurrences: signal.occurrences }, { id, occurrences: 0 })
}
