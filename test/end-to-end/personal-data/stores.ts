import type { Analytics } from '../../../infra/clickhouse/port.ts'
import type { Log, StoredRecord } from '../../../infra/log/port.ts'
import type { createPool } from '../../../infra/postgres/pool.ts'
import { eventually } from '../../../infra/runtime/testing.ts'
import { HEADERS } from '../../../schemas/events/topics.ts'

type Pool = ReturnType<typeof createPool>

/** Everything that is stored, as text by where it is. */
export type Contents = ReadonlyMap<string, string>

/** Text as it is; bytes so that what is text in them can be read. */
const readable = (value: unknown): string =>
  JSON.stringify(value, (_, inner) => {
    if (typeof inner !== 'object' || inner === null || !('type' in inner) || inner.type !== 'Buffer') return inner
    return Buffer.from((inner as { data: number[] }).data).toString('latin1')
  })

const TABLES = `
  select table_schema || '.' || table_name as name from information_schema.tables
  where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`

/** Every column of every table that there is. */
export const readPostgres = async (pool: Pool): Promise<Contents> => {
  const tables = await pool.query<{ name: string }>(TABLES)
  const contents = new Map<string, string>()
  for (const { name } of tables.rows) {
    const { rows } = await pool.query(`select * from ${name}`)
    contents.set(`Postgres, ${name}`, readable(rows))
  }
  return contents
}

/** Every column of every table of the database. */
export const readClickHouse = async (analytics: Analytics): Promise<Contents> => {
  const tables = await analytics.query<{ name: string }>(
    'SELECT name FROM system.tables WHERE database = currentDatabase()',
  )
  const contents = new Map<string, string>()
  for (const { name } of tables) {
    contents.set(`ClickHouse, ${name}`, readable(await analytics.query<object>(`SELECT * FROM ${name}`)))
  }
  return contents
}

/** All records of a topic. */
const readTopic = async (log: Log, topic: string): Promise<readonly StoredRecord[]> => {
  const records: StoredRecord[] = []
  const group = `test.personal-data.${topic}`
  const consumer = await log.consume({
    group,
    topics: [topic],
    maxRecords: 1000,
    onBatch: async (batch, { commit }) => {
      records.push(...batch.records)
      const next = (batch.records.at(-1)?.offset ?? 0) + 1
      await commit(next)
      return { next }
    },
  })
  await eventually(`${topic} is read`, async () => {
    const places = await log.lag(group)
    return places.length > 0 && places.every(({ committed, highWatermark }) => committed === highWatermark)
  })
  await consumer.stop()
  return records
}

export interface ReadLog {
  /** What is behind scrub, by topic. */
  readonly scrubbed: Contents
  /** What may hold personal data, and is kept for hours only. */
  readonly personal: string
}

/** Every topic; `isPersonal` says which of them are in front of scrub. */
export const readLog = async (
  log: Log,
  topics: readonly string[],
  isPersonal: (topic: string) => boolean,
): Promise<ReadLog> => {
  const scrubbed = new Map<string, string>()
  const personal: string[] = []
  for (const topic of topics) {
    for (const record of await readTopic(log, topic)) {
      const { headers, key, value } = record
      const text = `${key} ${JSON.stringify(headers)} ${Buffer.from(value).toString('latin1')}`
      // Retries and dead letters of steps in front of scrub are as they were there.
      const from = headers[HEADERS.returnTo] ?? topic
      if (isPersonal(from)) personal.push(text)
      else scrubbed.set(`topic ${topic}`, `${scrubbed.get(`topic ${topic}`) ?? ''}\n${text}`)
    }
  }
  return { scrubbed, personal: personal.join('\n') }
}
