import { createClickHouseClient } from '../../infra/clickhouse/client.ts'
import { parseClickHouseUrl } from '../../infra/clickhouse/config.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { STEPS } from '../../schemas/domain/vocabulary.ts'
import type { QuerySubject } from './subject.ts'

const SIGNALS_A_STATEMENT = 100_000

const MAKE_TABLE = `CREATE TABLE IF NOT EXISTS bench_signals (id UUID, received_at DateTime64(3, 'UTC')) ENGINE = Memory`

/** A receipt, and each step until the last, of every signal. */
const INSERT = `
  INSERT INTO activity (workspace_id, event_id, kind, occurred_at, subject_id, source_id, channel, signal_origin, actor_role,
    classification, step, step_ordinal, outcome, duration_ms, elapsed_ms)
  SELECT {workspace: UUID}, generateUUIDv4(slot), if(slot = 0, 'signal.received', 'signal.step'),
    received_at,
    toString(id), {source: String}, 'webhook', 'customer', 'user', if(slot >= 7, 'problem', ''),
    if(slot = 0, '', arrayElement({steps: Array(String)}, slot)), slot, if(slot = 0, '', 'next'),
    if(slot = 0, 0, 1 + rand() % 5), if(slot = 0, 0, slot * 100)
  FROM bench_signals ARRAY JOIN range(${STEPS.length + 1}) AS slot`

interface Numbered {
  readonly id: string
  readonly number: number
  readonly at: string
}

/**
 * Records what the processors would have recorded of the stored signals behind a number, all from one source.
 * Some reads are answered by it, and the ledger compares it with what is stored.
 */
export const recordSignals = async (
  { pool, clickhouseUrl, workspaceId }: Pick<QuerySubject, 'pool' | 'clickhouseUrl' | 'workspaceId'>,
  { after, source }: { readonly after: number; readonly source: string },
): Promise<void> => {
  const logger = createLogger({ level: 'silent', program: 'bench' })
  const client = createClickHouseClient(parseClickHouseUrl(clickhouseUrl), logger)
  await client.command({ query: MAKE_TABLE })
  const fixed = { workspace: workspaceId, source, steps: STEPS }
  let last = after
  for (;;) {
    const { rows } = await pool.query<Numbered>(
      `select id, number, to_char(received_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') as at from signals where workspace_id = $1 and number > $2 order by number limit ${SIGNALS_A_STATEMENT}`,
      [workspaceId, last],
    )
    if (rows.length === 0) break
    last = rows.at(-1)?.number ?? last
    await client.insert({
      table: 'bench_signals',
      values: rows.map(({ id, at }) => [id, at]),
      format: 'JSONCompactEachRow',
    })
    await client.command({ query: INSERT, query_params: fixed })
    await client.command({ query: 'TRUNCATE TABLE bench_signals' })
  }
  await client.command({ query: 'DROP TABLE bench_signals' })
  await client.close()
}
