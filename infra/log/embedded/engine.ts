import { statfsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type avsc from 'avsc'
import { checkOffset, checkSchema, incompatibleSchema, unknownSchema } from '../checks.ts'
import { createCatalogue, type Partition } from './catalogue.ts'
import { openAcceptedMark } from './database.ts'
import { type Connection, createGroups } from './groups.ts'
import type { CallName, Calls, Fetched } from './protocol.ts'
import { createCommits, createRecords, nothingFetched, type Records } from './records.ts'
import { createRetention } from './retention.ts'
import { createCopy, createWrites } from './writes.ts'

type FetchRequest = Calls['fetch']['request']

interface OpenFetch {
  readonly request: FetchRequest
  readonly partition: Partition
  readonly answer: (fetched: Fetched) => void
}

/** Fetches that wait for a record. A client asks once; the next append answers. */
const createFetches = (records: Records) => {
  const open = new Map<number, OpenFetch>()

  const read = (partition: Partition, { offset, maxRecords, maxBytes }: FetchRequest): Fetched =>
    records.read(partition, offset, maxRecords, maxBytes)

  return {
    fetch(partition: Partition, request: FetchRequest): Promise<Fetched> {
      return new Promise(resolve => {
        if (request.offset < partition.nextOffset) {
          const fetched = read(partition, request)
          if (fetched.heads.length > 0) return resolve(fetched)
        }
        open.set(request.generation, { request, partition, answer: resolve })
      })
    },

    /** These partitions have new records. */
    wake(partitions: ReadonlySet<Partition>): void {
      for (const [generation, { request, partition, answer }] of open) {
        if (!partitions.has(partition) || request.offset >= partition.nextOffset) continue
        open.delete(generation)
        answer(read(partition, request))
      }
    },

    cancel(generation: number): void {
      const waiting = open.get(generation)
      if (waiting === undefined) return
      open.delete(generation)
      waiting.answer(nothingFetched(waiting.partition))
    },
  }
}

/** The schema registry of the embedded log: a table of its file. Schemas are JSON text. */
const createSchemas = (database: DatabaseSync) => {
  const insert = database.prepare('insert into schemas (subject, version, schema) values (?, ?, ?) returning id')
  const versions = database.prepare('select id, schema from schemas where subject = ? order by version')
  const byId = database.prepare('select schema from schemas where id = ?')

  return {
    /** Call inside a transaction. */
    register(subject: string, schema: string): number {
      const earlier = versions.all(subject)
      const same = earlier.find(version => version.schema === schema)
      if (same !== undefined) return Number(same.id)
      const reader = checkSchema(JSON.parse(schema))
      for (const version of earlier)
        refuseIncompatible(subject, reader, checkSchema(JSON.parse(String(version.schema))))
      return Number(insert.get(subject, earlier.length + 1, schema)?.id)
    },

    idsOf: (subject: string): readonly number[] => versions.all(subject).map(({ id }) => Number(id)),

    schemaById(id: number): string {
      const schema = byId.get(id)?.schema
      if (typeof schema !== 'string') throw unknownSchema(id)
      return schema
    },
  }
}

const refuseIncompatible = (subject: string, reader: avsc.Type, writer: avsc.Type): void => {
  try {
    reader.createResolver(writer)
  } catch (error) {
    throw incompatibleSchema(subject, String(error), error)
  }
}

/** A disk that was full counts as full until it has this much free: less would soon be used up again. */
const ROOM_BYTES = 16 * 1024 * 1024

const hasRoom = (directory: string): boolean => {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize >= ROOM_BYTES
}

interface EngineOptions {
  readonly database: DatabaseSync
  /** The database's directory. */
  readonly directory: string
  readonly rebalanceTimeoutMs: number
  readonly heartbeatMs: number
  readonly report: (error: unknown) => void
  /** As in `createWrites`. */
  readonly onRefusal: (reason: string | null) => void
}

type Handlers = {
  readonly [Name in CallName]: (
    request: Calls[Name]['request'],
    connection: Connection,
  ) => Calls[Name]['reply'] | Promise<Calls[Name]['reply']>
}

export type Engine = ReturnType<typeof createEngine>

/** The log behind the ports: wires its parts, and answers the calls. */
export const createEngine = (options: EngineOptions) => {
  const { database, directory, rebalanceTimeoutMs, heartbeatMs, report, onRefusal } = options
  const catalogue = createCatalogue(database)
  const records = createRecords(database, catalogue)
  const commits = createCommits(database, catalogue, records)
  const schemas = createSchemas(database)
  const mark = openAcceptedMark(directory, catalogue.accepted())
  const stored = () => mark.note(catalogue.accepted())
  const { write, assertStoring, flush, hold, release } = createWrites({
    database,
    stored,
    undone: catalogue.load,
    report,
    onRefusal,
    hasRoom: () => hasRoom(directory),
  })
  const fetches = createFetches(records)
  const groups = createGroups({ catalogue, commits, rebalanceTimeoutMs, ended: fetches.cancel })
  const retention = createRetention({ database, catalogue, groups, write })
  const copy = createCopy({ database, directory, writes: { hold, release }, records: catalogue.accepted })

  const handlers: Handlers = {
    ping: async () => {
      await assertStoring()
      return null
    },
    ensure_topics: async definitions => {
      await write(() => catalogue.ensure(definitions))
      return null
    },
    topics: () => catalogue.topics().map(({ name }) => name),
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
    schema_ids: ({ subject }) => schemas.idsOf(subject),
    schema_by_id: ({ id }) => schemas.schemaById(id),
    forget: async ({ takenUpTo }) => {
      await retention.forget(takenUpTo)
      copy.settle()
      return null
    },
    ...copy.calls,
  }

  return {
    /** The protocol ties a call's name to its request. */
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
