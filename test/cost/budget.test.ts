import assert from 'node:assert/strict'
import type { HeapProfiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { after, before, describe, it } from 'node:test'
import { createFeedback } from '../../bench/support/feedback.ts'
import type { OutgoingRecord } from '../../infra/log/port.ts'
import { newId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { atEdge, type Incoming } from './edge.testing.ts'
import { startWhole, type Whole } from './whole.testing.ts'

/**
 * What a signal may take of what no other work on the machine changes. Each bound is what was measured and about a
 * tenth: who needs more raises it with a reason, who needs less lowers it.
 */
const BUDGET = {
  /** Bytes allocated by the edge for a signed request of 700 bytes, from the read body to the records for the log. */
  allocated: 19_600,
  /** Statements of all nine steps for a batch, however large, each signal in a workspace of its own. */
  statements: 33,
  /** How often the steps wait for the database's answers before they ask on, but for the ends of transactions. */
  waits: 15,
  /** Bytes a signal: keys and values of its records, and tables with their indexes. */
  log: 8_500,
  activity: 3_600,
  database: 11_500,
}

/** A statement more for each so many signals would show. */
const BATCHES = [50, 200] as const
const REQUESTS = 2_000
const SAMPLED_BYTES = 512

const feedback = createFeedback(22)
const signal = (): Incoming => ({
  receiver: 'signal',
  body: JSON.stringify({ channel: 'webhook', text: feedback(), actor: { name: 'Ann', email: 'ann@example.com' } }),
})
const signals = (count: number): Incoming[] => Array.from({ length: count }, signal)
const bytesOf = (records: readonly OutgoingRecord[]): number =>
  records.reduce((sum, { key, value }) => sum + (key?.length ?? 0) + (value?.length ?? 0), 0)

const bytesIn = ({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number =>
  children.reduce((sum, child) => sum + bytesIn(child), selfSize)

/** Asserts that it is within its bound, and that the bound is not far above it. */
const within = (what: keyof typeof BUDGET, measured: number): void => {
  const bound = BUDGET[what]
  assert.ok(measured <= bound, `${what}: ${measured.toFixed(1)} is more than ${bound}`)
  assert.ok(measured >= bound / 2, `${what}: ${measured.toFixed(1)} is less than half of ${bound}: lower the bound`)
}

describe('A signal takes', () => {
  let whole: Whole
  let statements: string[] = []
  let waits = 0
  let records: OutgoingRecord[] = []
  before(async () => {
    const watch = {
      asked: (statement: string, isWaitedFor: boolean) => {
        statements.push(statement)
        waits += Number(isWaitedFor)
      },
      appended: (added: readonly OutgoingRecord[]) => void records.push(...added),
    }
    whole = await startWhole({ watch })
  })
  after(() => whole.stop())

  const sizeOfDatabase = async (): Promise<number> => {
    await whole.pool.query('vacuum full')
    const { rows } = await whole.pool.query(
      `select sum(pg_total_relation_size(oid))::int as bytes from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
    return rows[0].bytes
  }

  it('so many statements a batch, whether it is small or large', async () => {
    await whole.run(...signals(20))
    const counts: number[] = []
    for (const size of BATCHES) {
      statements = []
      waits = 0
      await whole.run(...signals(size))
      counts.push(statements.length)
    }
    const [small = 0, large = 0] = counts
    assert.ok(large <= small + 5, `${small} statements for ${BATCHES[0]} signals, ${large} for ${BATCHES[1]}`)
    within('statements', large)
    within('waits', waits)
  })

  it('so many bytes of the log, of activity, and of the database', async () => {
    const [, count] = BATCHES
    const before = await sizeOfDatabase()
    records = []
    await whole.run(...signals(count))
    const activity = records.filter(({ topic }) => topic.startsWith('activity'))
    within('log', bytesOf(records.filter(record => !activity.includes(record))) / count)
    within('activity', bytesOf(activity) / count)
    within('database', ((await sizeOfDatabase()) - before) / count)
  })

  it('so many bytes of memory at the edge', async () => {
    const take = atEdge(signal(), newId<WorkspaceId>())
    for (let request = 0; request < REQUESTS; request += 1) assert.equal((await take()).status, 200)
    const session = new Session()
    session.connect()
    await session.post('HeapProfiler.startSampling', {
      samplingInterval: SAMPLED_BYTES,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    })
    for (let request = 0; request < REQUESTS; request += 1) await take()
    const { profile } = await session.post('HeapProfiler.stopSampling')
    session.disconnect()
    within('allocated', bytesIn(profile.head) / REQUESTS)
  })
})
