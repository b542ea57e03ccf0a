import assert from 'node:assert/strict'
import type { TestAnalytics } from '../../../infra/clickhouse/testing.ts'
import type { TestDatabase } from '../../../infra/postgres/testing.ts'
import { createSealer, INSTALLATION_KEY_BYTES } from '../../../infra/runtime/secrets.ts'
import { recordOccurrences } from '../../../model/duplicates/occurrences.ts'
import type { ProofLine } from '../../../model/erasures/erasures.ts'
import { balanceOf } from '../../../model/ledger/installation-ledger.ts'
import { readLedgers } from '../../../model/ledger/ledger.ts'
import { type EventId, newId, type SignalId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { activity } from '../../../schemas/events/activity.ts'
import type { Content } from '../../../schemas/events/signal.ts'
import { signalCodec } from '../../framework/testing.ts'
import { storeEvents } from '../../sinks/activity/store-events.ts'
import { embedder, finished } from '../../steps/testing.ts'
import { addSignals } from '../testing.ts'
import { createEraseJob } from './erase.ts'

export const sealer = createSealer(new Uint8Array(INSTALLATION_KEY_BYTES).fill(7))
export const actorKey = (address: string) => `key of ${address}`

/** What the tests of erasures share, over stores that are there once a test runs. */
export const eraseKit = (db: () => TestDatabase, clickHouse: () => TestAnalytics) => {
  const query = async (statement: string, values: readonly unknown[]) =>
    (await db().pool.query(statement, [...values])).rows

  const job = () =>
    createEraseJob({
      database: db().database,
      analytics: clickHouse().analytics,
      log: { lag: async () => [] },
      pipeline: { segments: [] },
      embedder,
      sealer,
      signalCodec,
      actorKey,
    })

  const erasureOf = async (id: string) => {
    const [row] = await query('select * from erasures where id = $1', [id])
    assert.ok(row)
    return row as {
      sealed: unknown
      finished_at: Date
      erased_signals: number
      counts: Record<string, number>
      proof: ProofLine[]
    }
  }

  let blocks = 0
  /** What ClickHouse is told of a signal's way. */
  const tell = async (
    workspace_id: WorkspaceId,
    ids: readonly SignalId[],
    step: 'insert' | 'dedup',
    outcome: 'next' | 'skip',
  ) => {
    const at = Date.UTC(2026, 5, 1, 12)
    const events = ids.flatMap(subject_id => [
      activity({
        event_id: newId<EventId>(),
        workspace_id,
        kind: 'signal.received',
        occurred_at: at,
        happened_at: at - 7_200_000,
        subject_id,
      }),
      activity({
        event_id: newId<EventId>(),
        workspace_id,
        kind: 'signal.step',
        occurred_at: at,
        happened_at: at - 7_200_000,
        subject_id,
        step,
        outcome,
        duration_ms: 3,
        elapsed_ms: 40,
      }),
    ])
    blocks += 1
    await storeEvents(clickHouse().analytics, events, `erase test ${blocks}`)
  }

  const said = (workspaceId: WorkspaceId, text: string, content: Partial<Content>) =>
    addSignals(db(), workspaceId, [text, { content }]).then(([id]) => {
      assert.ok(id)
      return id
    })

  const repeat = async (
    workspaceId: WorkspaceId,
    of: SignalId,
    text: string,
    content: Partial<Content>,
  ): Promise<SignalId> => {
    const signal = await finished(workspaceId, text, { content })
    await db().database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, transaction =>
      recordOccurrences(transaction, [{ signal, of, reason: 'near_duplicate', similarity: 0.95 }]),
    )
    return signal.signal_id
  }

  const ledgerOf = async (workspaceId: WorkspaceId) => {
    const ledgers = await readLedgers(
      {
        read: (workspaceIds, work) => db().database.transaction({ role: 'assay_pipeline', workspaceIds }, work),
        analytics: clickHouse().analytics,
      },
      [workspaceId],
    )
    const [ledger] = ledgers
    assert.ok(ledger)
    return { ledger, ...balanceOf(ledgers, true) }
  }

  /** What the relay does: activity that was written with the rows reaches ClickHouse. */
  const relay = async (workspaceId: WorkspaceId): Promise<void> => {
    const rows = await query('delete from outbox where workspace_id = $1 returning activity', [workspaceId])
    blocks += 1
    await storeEvents(
      clickHouse().analytics,
      rows.map(row => row.activity),
      `erase test ${blocks}`,
    )
  }

  return { query, job, erasureOf, tell, said, repeat, ledgerOf, relay }
}
