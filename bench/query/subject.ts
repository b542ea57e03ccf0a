import { startStack } from '../../infra/stack/index.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { type Agent, connectAgent } from '../../test/support/agent.ts'
import { createKey, type Person, signUp } from '../../test/support/person.ts'
import { startPrograms } from '../../test/support/programs.ts'
import { type BenchPool, createBenchPool } from '../support/stored-rows.ts'

const FILLING_MS = 3_600_000
/** Room for the words of a million Signals. */
const SEARCH_MEMORY_MB = '4096'

/** A query API on real engines, with a person and their agent in a workspace of their own. */
export interface QuerySubject {
  /** The database as its owner: one connection, which may take as long as filling does. */
  readonly pool: BenchPool
  readonly clickhouseUrl: string
  readonly workspaceId: WorkspaceId
  /** Behind the proxy, whose address is the one that the app is served at. */
  readonly person: Person
  /** Past the proxy, which works in this process and would be measured too. */
  readonly agent: Agent
  stop(): Promise<void>
}

export const startQuerySubject = async (): Promise<QuerySubject> => {
  const stack = await startStack({ engines: ['kafka', 'registry', 'postgres', 'clickhouse'] })
  const installation = await startPrograms(stack, { SEARCH_MEMORY_MB }, ['query-api']).catch(async error => {
    await stack.stop()
    throw error
  })
  const person = await signUp(installation.baseUrl)
  const { items } = await person.call<{ items: readonly { readonly id: WorkspaceId }[] }>('list_workspaces')
  const [workspace] = items
  if (workspace === undefined) throw new TypeError('Whoever signs up has a workspace.')
  const { baseUrl } = installation.programs['query-api'][0] ?? installation
  const agent = await connectAgent(baseUrl, (await createKey(person)).key)
  const pool = createBenchPool(String(stack.urls.DATABASE_URL), FILLING_MS)
  return {
    pool,
    clickhouseUrl: String(stack.urls.CLICKHOUSE_URL),
    workspaceId: workspace.id,
    person,
    agent,
    stop: async () => {
      await agent.close()
      await pool.end()
      await installation.remove()
      await stack.stop()
    },
  }
}
