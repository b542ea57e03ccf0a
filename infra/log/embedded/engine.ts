import type { DatabaseSync } from 'node:sqlite'
import { checkOffset } from '../checks.ts'
import { openAcceptedMark } from './accepted-mark.ts'
import { createCatalogue } from './catalogue.ts'
import { createCommits } from './commits.ts'
import { createFetches } from './fetches.ts'
import { type Connection, createGroups } from './groups.ts'
import type { CallName, Calls } from './protocol.ts'
import { createRecords } from './records.ts'
import { createRetention } from './retention.ts'
import { createSchemas } from './schemas.ts'
import { createWrites } from './writes.ts'

interface EngineOptions {
  readonly database: DatabaseSync
  /** Where the database is. */
  readonly directory: string
  readonly rebalanceTimeoutMs: number
  readonly heartbeatMs: number
  readonly report: (error: unknown) => void
}

type Handlers = {
  readonly [Name in CallName]: (
    request: Calls[Name]['request'],
    connection: Connection,
  ) => Calls[Name]['reply'] | Promise<Calls[Name]['reply']>
}

export type Engine = ReturnType<typeof createEngine>

/** The log behind the ports: puts the parts together, and answers the calls. */
export const createEngine = ({ database, directory, rebalanceTimeoutMs, heartbeatMs, report }: EngineOptions) => {
  const catalogue = createCatalogue(database)
  const records = createRecords(database, catalogue)
  const commits = createCommits(database, catalogue, records)
  const schemas = createSchemas(database)
  const mark = openAcceptedMark(directory, catalogue.accepted())
  const stored = () => mark.note(catalogue.accepted())
  const { write, flush } = createWrites({ database, stored, undone: catalogue.load, report })
  const fetches = createFetches(records)
  const groups = createGroups({ catalogue, commits, rebalanceTimeoutMs, ended: fetches.cancel })
  const retention = createRetention({ database, catalogue, groups, write })

  const handlers: Handlers = {
    ping: () => null,
    ensure_topics: async definitions => {
      await write(() => catalogue.ensure(definitions))
      return null
    },
    append: async request => {
      fetches.wake(await write(() => records.append(request)))
      return null
    },
    join: async (request, connection) => {
      await write(() => commits.begin(request.group, request.topics, request.from))
      groups.join(connection, request)
      return { heartbeatMs }
    },
    leave: ({ member }, connection) => {
      groups.leave(connection, member)
      return null
    },
    release: ({ generation }) => {
      groups.release(generation)
      return null
    },
    fetch: request => fetches.fetch(groups.joinedPartitions(request.generation).partition, request),
    cancel: ({ generation }) => {
      fetches.cancel(generation)
      return null
    },
    commit: async ({ generation, offset, metadata }) => {
      await write(() => {
        const { group, partition } = groups.joinedPartitions(generation)
        checkOffset(offset, partition.nextOffset)
        commits.commit(group, partition, { offset, metadata })
      })
      return null
    },
    heartbeat: () => null,
    high_watermark: ({ generation }) => groups.joinedPartitions(generation).partition.nextOffset,
    lag: ({ group }) => commits.lag(group),
    register_schema: ({ subject, schema }) => write(() => schemas.register(subject, schema)),
    schema_by_id: ({ id }) => schemas.schemaById(id),
  }

  return {
    /** The name and the request belong together: the protocol says which request a call has. */
    handle<Name extends CallName>(
      call: Name,
      request: Calls[Name]['request'],
      connection: Connection,
    ): Calls[Name]['reply'] | Promise<Calls[Name]['reply']> {
      return handlers[call](request, connection)
    },
    groups,
    retention,
    flush,
    close(): void {
      flush()
      groups.close()
      database.close()
      mark.close()
    },
  }
}
