import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredRecord } from '../../infra/log/port.ts'
import type { ActivityRecord } from '../../schemas/events/activity.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import { type BatchItem, createOutputs } from './outputs.ts'
import { next } from './step.ts'
import { type StepRun, stepEvent } from './step-activity.ts'

const RECEIVED_AT = 1_000_000
/** Only what events are made of. */
const item = (place: number, occurredAt: number | null | undefined): BatchItem =>
  ({
    stored: {} as unknown as StoredRecord,
    place,
    delivery: { attempt: 1, replay: 0, traceId: '' },
    signal: {
      signal_id: `signal ${place}`,
      received_at: RECEIVED_AT,
      content: occurredAt === undefined ? null : { occurred_at: occurredAt },
    } as unknown as SignalRecord,
  }) as unknown as BatchItem
const run = { step: 'validate', ordinal: 1, version: 'test', durationMs: 1, endedAt: RECEIVED_AT } as StepRun

test('what happened to a signal is told at its own time, by the steps before it was read too; never after it was received', async () => {
  const outputs = createOutputs()
  // The second step has read when it happened.
  for (const [place, occurredAt] of [
    [0, undefined],
    [0, 400_000],
    [1, undefined],
    [1, null],
    [2, 3_000_000],
  ] as const) {
    const of = item(place, occurredAt)
    outputs.record(of.place, stepEvent(of, run, { ...next({}), kind: 'next' } as Parameters<typeof stepEvent>[2]))
  }
  const encoded: ActivityRecord[] = []
  const encode = async (event: ActivityRecord) => {
    encoded.push(event)
    return new Uint8Array()
  }
  await outputs.ofFirst(3, { encode } as unknown as Parameters<typeof outputs.ofFirst>[1])
  assert.deepEqual(
    encoded.map(({ occurred_at, happened_at }) => [occurred_at, happened_at]),
    [400_000, 400_000, RECEIVED_AT, RECEIVED_AT, RECEIVED_AT].map(at => [RECEIVED_AT, at]),
  )
})
