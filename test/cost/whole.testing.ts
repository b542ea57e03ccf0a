import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OutgoingRecord } from '../../infra/log/port.ts'
import type { Database } from '../../infra/postgres/port.ts'
import { type TestDatabase, testDatabaseOn } from '../../infra/postgres/testing.ts'
import { startEmbeddedForTests } from '../../infra/postgres/testing-embedded.ts'
import { processBatch } from '../../processors/framework/process-batch.ts'
import { segmentWork, testPace } from '../../processors/framework/testing.ts'
import { createBuiltInClassifier } from '../../processors/steps/classify/built-in/classifier.ts'
import { embedder, freshNeighbours, freshWords } from '../../processors/steps/testing.ts'
import { createTopology } from '../../processors/topology.ts'
import { DEAD_LETTERS_TOPIC, HEADERS, signalsTopic } from '../../schemas/events/topics.ts'
import { atEdge, codecs, type Incoming } from './edge.testing.ts'
import { cpuMs, LONG } from './measure.testing.ts'

/**
 * CPU in milliseconds: of the edge's thread, of the pipeline's and of the database's. A mail is read on the edge's
 * here.
 */
export interface Cost {
  readonly edge: number
  readonly pipeline: number
  readonly database: number
  /** The status of the edge's answer. */
  readonly status: number
}

export interface Whole extends Pick<TestDatabase, 'pool'> {
  /** Takes a body, or several as one batch, in at the edge and through every step, each in a new workspace. */
  run(...incoming: readonly Incoming[]): Promise<Cost>
  stop(): Promise<void>
}

export const total = ({ edge, pipeline, database }: Cost): number => edge + pipeline + database

/** What is told of while it happens. */
interface Watch {
  /** A statement is sent to the database. */
  /** `isWaitedFor` says that nothing else of the transaction is under way: the step waited before it asked. */
  readonly asked?: (statement: string, isWaitedFor: boolean) => void
  /** Records are appended to the log. */
  readonly appended?: (records: readonly OutgoingRecord[]) => void
}

/**
 * All that a body passes, on one thread that takes turns: the engine blocks it for as long as an exchange lasts, so
 * that its CPU is told from what else happens. The log itself is left out. On files and with `fsync` for a long run, in
 * memory otherwise.
 */
export const startWhole = async ({ watch = {} }: { readonly watch?: Watch } = {}): Promise<Whole> => {
  let inDatabase = 0
  let began = 0
  const clock = {
    begin: () => {
      began = cpuMs()
      return 0n
    },
    end: () => {
      inDatabase += cpuMs() - began
    },
  }
  const parent = LONG ? await mkdtemp(join(tmpdir(), 'assay-cost-')) : null
  const where = parent === null ? {} : { directory: join(parent, 'postgres') }
  const db = testDatabaseOn(await startEmbeddedForTests({ clock, ...where }))
  const pipeline = createTopology({
    database: watched(db.database, watch.asked),
    neighbours: freshNeighbours(),
    words: freshWords(),
    embedder,
    judge: null,
    classifier: createBuiltInClassifier(),
    actorKey: address => address,
  })

  const through = async (taken: readonly OutgoingRecord[]): Promise<void> => {
    const pace = testPace()
    let waiting = taken.filter(({ topic }) => topic === signalsTopic('validate'))
    for (const { head, nextHead } of pipeline.segments) {
      const stored = waiting.map((record, offset) => ({ headers: {}, ...record, partition: 0, offset, timestamp: 0 }))
      const { outputs } = await processBatch(stored, segmentWork(pipeline, head, codecs), pace)
      watch.appended?.(outputs)
      const failed = outputs.filter(({ topic }) => topic === DEAD_LETTERS_TOPIC || topic.startsWith('retry.'))
      const classes = failed.map(({ headers }) => headers?.[HEADERS.errorClass])
      // The watchdog gives up on a thread that others keep from the processor, which is not what is measured.
      if (classes.includes('busy')) return through(taken)
      assert.deepEqual(classes, [])
      waiting = outputs.filter(({ topic }) => nextHead !== null && topic === signalsTopic(nextHead))
      if (waiting.length === 0) return
    }
  }

  return {
    pool: db.pool,
    async run(...incoming) {
      const workspaceIds = await db.workspaces(incoming.length)
      const taking = incoming.map((one, place) => atEdge(one, workspaceIds[place] ?? assert.fail()))
      const records: OutgoingRecord[] = []
      let status = 200
      const atFirst = cpuMs()
      for (const take of taking) {
        const answer = await take()
        records.push(...answer.records)
        status = Math.max(status, answer.status)
      }
      const accepted = cpuMs()
      inDatabase = 0
      watch.appended?.(records)
      if (records.length > 0) await through(records)
      const pipelineAndDatabase = cpuMs() - accepted
      return { edge: accepted - atFirst, pipeline: pipelineAndDatabase - inDatabase, database: inDatabase, status }
    },
    async stop() {
      await db.stop()
      if (parent !== null) await rm(parent, { recursive: true, force: true })
    },
  }
}

const watched = (database: Database, asked: Watch['asked']): Database =>
  asked === undefined
    ? database
    : {
        ...database,
        transaction: (scope, work) =>
          database.transaction(scope, transaction => {
            let underWay = 0
            return work({
              ...transaction,
              async query<Row extends object>(statement: string, values?: readonly unknown[]) {
                asked(statement, underWay === 0)
                underWay += 1
                try {
                  return await transaction.query<Row>(statement, values)
                } finally {
                  underWay -= 1
                }
              },
            })
          }),
      }
