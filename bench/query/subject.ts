import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack } from '../../infra/stack/index.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { type Agent, agentOf } from '../../test/support/agent.ts'
import { type Person, signUp } from '../../test/support/person.ts'
import { createProgram, exited, spawnAssay } from '../../test/support/program.ts'

/** A query API on real engines, with an agent in a workspace of its own. */
export interface QuerySubject {
  readonly databaseUrl: string
  readonly clickhouseUrl: string
  readonly baseUrl: string
  readonly workspaceId: WorkspaceId
  readonly person: Person
  readonly agent: Agent
  stop(): Promise<void>
}

export const startQuerySubject = async (): Promise<QuerySubject> => {
  const directory = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  const stack = await startStack({ engines: ['kafka', 'registry', 'postgres', 'clickhouse'], directory })
  const environment = { ...stack.urls, INSTALLATION_KEY: randomBytes(32).toString('base64') }
  const code = await exited(spawnAssay(['migrate'], environment))
  if (code !== 0) throw new Error(`assay migrate ended with code ${code}`)
  const program = await createProgram(['query-api'], environment)
  program.start()
  await program.ready()
  const person = await signUp(program.baseUrl)
  const { items } = await person.call<{ items: readonly { readonly id: WorkspaceId }[] }>('list_workspaces')
  const [workspace] = items
  if (workspace === undefined) throw new TypeError('Whoever signs up has a workspace.')
  const agent = await agentOf(person)
  return {
    databaseUrl: String(stack.urls.DATABASE_URL),
    clickhouseUrl: String(stack.urls.CLICKHOUSE_URL),
    baseUrl: program.baseUrl,
    workspaceId: workspace.id,
    person,
    agent,
    stop: async () => {
      await agent.close()
      await program.stop()
      await stack.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
