import { createBuiltInEmbedder } from '../../infra/models/built-in-embedder.ts'
import type { Embedder } from '../../infra/models/port.ts'
import { createDatabaseForTests, type TestDatabase, testDatabaseOn } from '../../infra/postgres/testing.ts'
import { startEmbeddedForTests } from '../../infra/postgres/testing-embedded.ts'
import { startStack } from '../../infra/stack/index.ts'
import { createNeighbours, type Neighbours } from '../../model/neighbours/neighbours.ts'
import { createWords, type Words } from '../../model/words/words.ts'
import { createBuiltInClassifier } from '../../processors/steps/classify/built-in/classifier.ts'
import { createTopology } from '../../processors/topology.ts'
import { newId, type SignalId, type TenantId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { MAX_TEXT_CODE_POINTS } from '../../schemas/domain/vocabulary.ts'
import { receivedSignal, type SignalRecord } from '../../schemas/events/signal.ts'
import { said } from './sets.ts'

/** Where the sets are put: both engines keep the same rows, by other code. */
export const ENGINES = ['embedded', 'engines'] as const
export type Engines = (typeof ENGINES)[number]

interface Sent {
  readonly title: string
  readonly text: string
  readonly created_at?: string
}

export interface Pipeline extends Pick<TestDatabase, 'database' | 'pool'> {
  /** The database that the steps write to, for what else works on it; `stop` stops it. */
  readonly stored: TestDatabase
  readonly neighbours: Neighbours
  readonly words: Words
  readonly embedder: Embedder
  /** A workspace of its own, empty. */
  workspace(): Promise<WorkspaceId>
  /**
   * Takes them through the nine steps in their order, as a processor does with its batches; answers the id of each as a
   * signal.
   */
  put(workspaceId: WorkspaceId, sent: readonly Sent[]): Promise<readonly SignalId[]>
  stop(): Promise<void>
}

const BATCH = 100
const MAX_BYTES = 512 * 1024 * 1024

/**
 * The built-in way: no model is configured. The log between the steps is left out: it carries records and changes none.
 */
export const startPipeline = async (on: Engines): Promise<Pipeline> => {
  const stack = on === 'engines' ? await startStack({ engines: ['postgres'] }) : null
  const url = stack?.urls.DATABASE_URL
  const db = testDatabaseOn(url === undefined ? await startEmbeddedForTests() : await createDatabaseForTests(url))
  const embedder = createBuiltInEmbedder()
  const neighbours = createNeighbours({ maxBytes: MAX_BYTES })
  const words = createWords({ maxBytes: MAX_BYTES })
  const { steps } = createTopology({
    database: db.database,
    neighbours,
    words,
    embedder,
    judge: null,
    classifier: createBuiltInClassifier(),
    actorKey: address => address,
  })

  /**
   * A step answers for each what it adds; what it ends, as a repeat or because the body is not taken, goes no further.
   */
  const through = async (batch: readonly SignalRecord[]): Promise<void> => {
    let waiting = batch
    for (const step of steps) {
      if (waiting.length === 0) return
      // The chain has checked at compile time that each step finds the fields that it needs.
      const results = await step.run(waiting as never)
      waiting = waiting.flatMap((signal, index) => {
        const result = results[index]
        if (result?.kind === 'retry') throw new Error(`${step.name} would try again: ${result.reason}`)
        if (result?.kind === 'dead') console.log(`    refused by ${step.name}: ${result.reason}`)
        return result?.kind === 'next' ? [{ ...signal, ...result.adds }] : []
      })
    }
  }

  return {
    ...db,
    stored: db,
    neighbours,
    words,
    embedder,
    workspace: async () => {
      const [id] = await db.workspaces(1)
      if (id === undefined) throw new TypeError('There is no workspace.')
      return id
    },
    put: async (workspaceId, sent) => {
      const tenantId = newId<TenantId>()
      const records = sent.map((one, place) => recordOf(one, workspaceId, tenantId, place))
      for (let begin = 0; begin < records.length; begin += BATCH) await through(records.slice(begin, begin + BATCH))
      return records.map(record => record.signal_id)
    },
    stop: async () => {
      await db.stop()
      await stack?.stop()
    },
  }
}

const recordOf = (one: Sent, workspaceId: WorkspaceId, tenantId: TenantId, place: number): SignalRecord => {
  const text = Array.from(said(one)).slice(0, MAX_TEXT_CODE_POINTS).join('')
  const occurred = one.created_at === undefined ? {} : { occurred_at: one.created_at }
  const body = { text, source: 'measured', actor_email: `person-${place}@example.com`, ...occurred }
  return receivedSignal(
    {
      signal_id: newId<SignalId>(),
      tenant_id: tenantId,
      workspace_id: workspaceId,
      source_id: null,
      channel: 'webhook',
      received_at: Date.now(),
    },
    { format: 'signal', body: JSON.stringify(body) },
  )
}
