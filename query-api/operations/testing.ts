import assert from 'node:assert/strict'
import { Compile } from 'typebox/compile'
import type { Analytics } from '../../infra/clickhouse/port.ts'
import { createBuiltInEmbedder } from '../../infra/models/built-in-embedder.ts'
import type { Database, Scope } from '../../infra/postgres/port.ts'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { parseConfig } from '../../infra/runtime/config.ts'
import { type ErrorCode, isAssayError } from '../../infra/runtime/errors.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { createSealer, INSTALLATION_KEY_BYTES } from '../../infra/runtime/secrets.ts'
import { createScannedIndex } from '../../infra/vector-index/sign-bits.ts'
import { createKeptLedgers } from '../../model/ledger/kept-ledgers.ts'
import { createNeighbours } from '../../model/neighbours/neighbours.ts'
import { QUOTA_CONFIG, type Quotas } from '../../model/quotas/quotas.ts'
import { createMeanings } from '../../model/search/meanings.ts'
import { createSearchTexts } from '../../model/search/search-texts.ts'
import { derivedId, type KeyId, newId, type TenantId, type UserId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { MemberRole } from '../../schemas/domain/vocabulary.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import { createBodyBudget } from '../http/body-budget.ts'
import { tools } from '../tools/index.ts'
import type { Worker } from '../worker/work.ts'
import { createWorker } from '../worker/worker.ts'
import { createCall } from './call/call.ts'
import type { Call, CallResult } from './call/contract.ts'
import type { Caller, Operation, Services } from './define.ts'
import { createDependencies, type StoreChecks } from './pipeline/dependencies.ts'
import { registry } from './registry.ts'
import { type PipelineSeeds, pipelineSeeds, signalCodec } from './testing-pipeline.ts'
import { createAdmission } from './testing-standing.ts'

/** An agent of one workspace, with functions that store the pipeline's data. */
export interface Workspace extends PipelineSeeds {
  readonly id: WorkspaceId
  readonly caller: Caller
  /** Calls a tool's mode and checks the answer against its schema. Answers of any shape, as parsed from JSON. */
  call(tool: string, mode: string, input?: object, idempotencyKey?: string): Promise<ReturnType<typeof JSON.parse>>
  /**
   * Calls an operation by name as the same member in the app, or with another role, as an administrator, or as another
   * person.
   */
  inApp(
    operation: string,
    input?: object,
    as?: MemberRole | 'administrator',
    userId?: UserId,
  ): Promise<ReturnType<typeof JSON.parse>>
  /** Calls an operation directly; as the member in the app when it is for people only. */
  run(operation: Operation | string, input: object, idempotencyKey?: string): Promise<CallResult>
}

export interface OperationsKit {
  readonly database: TestDatabase
  /** The thread for large work. */
  readonly worker: Worker
  /** Signals that operations appended to the pipeline. */
  readonly appended: SignalRecord[]
  /** Awaited before a signal is appended. */
  beforeAppend: (signal: SignalRecord) => Promise<void>
  /** Answers of the stores; tests replace some by failures. */
  readonly checks: { -readonly [Name in keyof StoreChecks]: StoreChecks[Name] }
  /** The limits; tests lower them. */
  readonly quotas: { -readonly [Name in keyof Quotas]: Quotas[Name] }
  /** The time of `services.now`; tests change it. */
  now: Date
  /** A new workspace, or an existing one as its member. */
  workspace(known?: Pick<Workspace, 'caller'>): Promise<Workspace>
  /** Calls an operation as any caller, whose account and rights are created first. */
  readonly call: Call
  /** Runs before a transaction of a call opens; tests change the caller's rights there. */
  beforeTransaction: (scope: Scope) => Promise<void>
  /** Resolves when no text is being embedded for the search. */
  embedded(): Promise<unknown>
  stop(): Promise<void>
}

const silent: Analytics = {
  query: async () => [],
  insert: async () => {},
  remove: async () => {},
  rewrite: async () => {},
  ping: async () => {},
  close: async () => {},
}

const answers = async (): Promise<void> => {}

/** One session for each person. */
const sessionOf = (user: UserId): string => derivedId('session', user)

const operationNamed = (name: string): Operation => registry.get(name) ?? assert.fail(`there is no operation ${name}`)

/** For `assert.rejects`: true when a call failed with this code and message. */
export const failsWith =
  (code: ErrorCode, message = /./) =>
  (error: unknown): boolean =>
    isAssayError(error) && error.code === code && message.test(error.publicMessage)

/** The operations on their own database, called like tools call them. Without `analytics` there is no activity. */
export const startOperations = async (
  analytics: Analytics = silent,
  {
    texts = createSearchTexts({ maxBytes: 64 * 1024 * 1024, log: createLogger({ level: 'silent', program: 'test' }) }),
    neighbours = createNeighbours({ maxBytes: 64 * 1024 * 1024, createIndex: createScannedIndex }),
    through = database => database,
    stored,
  }: Partial<Pick<Services, 'texts' | 'neighbours'>> & {
    /** Wraps the database for calls. */
    readonly through?: (database: Database) => Database
    /** An existing database instead of a new one. */
    readonly stored?: TestDatabase
  } = {},
): Promise<OperationsKit> => {
  const database = stored ?? (await startTestDatabase())
  const embedder = createBuiltInEmbedder()
  const meanings = createMeanings(embedder)
  const silentLog = createLogger({ level: 'silent', program: 'test' })
  const worker = createWorker(silentLog)
  const kit: OperationsKit = {
    database,
    worker,
    appended: [],
    beforeAppend: async () => {},
    checks: { database: answers, analytics: answers, log: answers, registry: answers, embedder: answers },
    quotas: { ...parseConfig(QUOTA_CONFIG, {}).quotas },
    now: new Date('2026-06-01T12:00:00Z'),
    workspace: async known => {
      if (known !== undefined) return workspaceOf(known.caller)
      const [workspaceId] = await database.workspaces(1)
      assert.ok(workspaceId)
      const caller: Caller = {
        tenantId: newId<TenantId>(),
        workspaceId,
        userId: newId<UserId>(),
        userName: 'Owner',
        role: 'owner',
        via: { kind: 'key', keyId: newId<KeyId>(), label: 'Agent' },
      }
      return workspaceOf(await admit(caller))
    },
    call: (operation, request) => call(operation, request),
    beforeTransaction: async () => {},
    embedded: meanings.idle,
    stop: async () => {
      await meanings.idle()
      await worker.stop()
      await database.stop()
    },
  }
  const services: Services = {
    analytics,
    embedder,
    dependencies: createDependencies({
      checks: kit.checks,
      database: database.database,
      sendsMail: false,
      now: () => kit.now.getTime(),
    }),
    mail: null,
    startedAt: kit.now,
    neighbours,
    texts,
    meanings,
    ledgers: createKeptLedgers(),
    worker,
    appendSignal: async signal => {
      await kit.beforeAppend(signal)
      kit.appended.push(signal)
    },
    encodeSignal: signal => signalCodec.encode(signal),
    readSignal: record => signalCodec.decode(record),
    baseUrl: 'https://assay.example.com',
    mailDomain: 'in.assay.example.com',
    quotas: kit.quotas,
    now: () => kit.now,
    ...createSealer(new Uint8Array(INSTALLATION_KEY_BYTES).fill(7)),
    actorKey: address => `key of ${address}`,
  }
  const admit = createAdmission(database.pool)
  const within = through(database.database)
  const calling = createCall({
    database: {
      ...within,
      transaction: async (scope, work) => {
        await kit.beforeTransaction(scope)
        return within.transaction(scope, work)
      },
    },
    services,
    buffer: { add: () => {}, close: async () => {} },
    limit: { admit: async () => {}, add: async () => {} },
    bodies: createBodyBudget(),
    evictKey: () => {},
  })
  const call: Call = async (operation, request) =>
    calling(operation, { ...request, caller: await admit(request.caller) })

  const workspaceOf = (caller: Caller): Workspace => {
    const id = caller.workspaceId
    return {
      id,
      caller,
      call: async (tool, mode, input = {}, idempotencyKey) => {
        const operation = tools.find(({ name }) => name === tool)?.modes[mode]
        assert.ok(operation, `${tool} has no mode ${mode}`)
        const request = {
          caller,
          input: { ...input },
          idempotencyKey: idempotencyKey ?? null,
          tool: { name: tool, mode },
        }
        const answered = JSON.parse(JSON.stringify(await call(operation, request)))
        const errors = Compile(operation.output).Errors(answered.data)
        assert.deepEqual(errors, [], `${tool} ${mode} answers what it does not declare`)
        return answered
      },
      inApp: async (name, input = {}, as = 'owner', userId = caller.userId) => {
        const administers = as === 'administrator'
        const role = administers ? 'viewer' : as
        const person: Caller = {
          ...caller,
          userId,
          role,
          via: { kind: 'app', administers, sessionId: sessionOf(userId) },
        }
        const answered = await call(operationNamed(name), { caller: person, input: { ...input }, idempotencyKey: null })
        return JSON.parse(JSON.stringify(answered))
      },
      run: async (given, input, idempotencyKey) => {
        const operation = typeof given === 'string' ? operationNamed(given) : given
        const through: Caller['via'] =
          operation.audience === 'people'
            ? { kind: 'app', administers: operation.role === 'administrator', sessionId: sessionOf(caller.userId) }
            : caller.via
        return call(operation, {
          caller: { ...caller, via: through },
          input: { ...input },
          idempotencyKey: idempotencyKey ?? null,
        })
      },
      ...pipelineSeeds({ database, embedder, seal: services.seal, now: () => kit.now }, caller),
    }
  }
  return kit
}
