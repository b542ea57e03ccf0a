import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Compile } from 'typebox/compile'
import type { Analytics } from '../../infra/clickhouse/port.ts'
import { createMemoryRegistry } from '../../infra/log/testing-registry.ts'
import { createBuiltInEmbedder } from '../../infra/models/built-in-embedder.ts'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { parseConfig } from '../../infra/runtime/config.ts'
import { type ErrorCode, isAssayError } from '../../infra/runtime/errors.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { createSealer, INSTALLATION_KEY_BYTES } from '../../infra/runtime/secrets.ts'
import { createScannedIndex } from '../../infra/vector-index/sign-bits.ts'
import { toVectorBytes } from '../../infra/vectors.ts'
import { createCodecs } from '../../model/codecs.ts'
import { createNeighbours } from '../../model/neighbours/neighbours.ts'
import { QUOTA_CONFIG, type Quotas } from '../../model/quotas/quotas.ts'
import { nextNumber } from '../../model/references/next-numbers.ts'
import { createMeanings } from '../../model/search/meanings.ts'
import { createSearchTexts } from '../../model/search/search-texts.ts'
import { insertSignals } from '../../model/signals/store-signals.ts'
import {
  type ClaimId,
  type KeyId,
  type NodeId,
  newId,
  type ProposalId,
  type SignalId,
  type TenantId,
  type UserId,
  type WorkspaceId,
} from '../../schemas/domain/ids.ts'
import {
  type Channel,
  type Classification,
  type Fault,
  type MemberRole,
  reference,
  type SignalOrigin,
} from '../../schemas/domain/vocabulary.ts'
import { receivedSignal, type SignalRecord } from '../../schemas/events/signal.ts'
import { tools } from '../tools/index.ts'
import { createCall } from './call/call.ts'
import type { CallResult } from './call/contract.ts'
import type { Caller, Operation, Services } from './define.ts'
import { createDependencies, type StoreChecks } from './pipeline/dependencies.ts'
import { registry } from './registry.ts'

/** What a test says of a signal; the rest is usual. */
interface SeededSignal {
  /** New unless told. */
  readonly id?: SignalId
  readonly text: string
  readonly origin?: SignalOrigin
  readonly actorKey?: string
  readonly actorName?: string
  readonly source?: string
  readonly occurredAt?: Date
  /** When it happened unless it says otherwise, as imported history does. */
  readonly receivedAt?: Date
  readonly classification?: Classification
  readonly nodeId?: NodeId
  readonly channel?: Channel
  readonly metadata?: Readonly<Record<string, unknown>>
}

interface SeededDeadLetter {
  readonly step: string
  readonly sealed: boolean
  readonly message: string
  readonly topic?: string
  readonly fault?: Fault
  readonly errorClass?: string
  /** Its own parts; those of every signal are added. */
  readonly record?: Partial<SignalRecord>
}

interface Seeded<Id> {
  readonly id: Id
  readonly reference: string
}

/** An agent of one workspace, and the means to put there what the pipeline would. */
export interface Workspace {
  readonly id: WorkspaceId
  readonly caller: Caller
  /**
   * Calls a tool's mode; checks that what it answers is what it declares. Answers of every shape, as read from JSON.
   */
  call(tool: string, mode: string, input?: object, idempotencyKey?: string): Promise<ReturnType<typeof JSON.parse>>
  /**
   * Calls an operation by its name as the same member, signed in to the app, or as one of another role there, or an
   * administrator, or somebody else.
   */
  inApp(
    operation: string,
    input?: object,
    as?: MemberRole | 'administrator',
    userId?: UserId,
  ): Promise<ReturnType<typeof JSON.parse>>
  /** Calls an operation by itself: as its member in the app where it is for people only. */
  run(operation: Operation, input: Readonly<Record<string, unknown>>, idempotencyKey?: string): Promise<CallResult>
  signal(signal: SeededSignal): Promise<Seeded<SignalId>>
  occurrence(signalId: SignalId, of?: SeededRepeat): Promise<SignalId>
  claim(title: string, evidence?: readonly Seeded<SignalId>[]): Promise<Seeded<ClaimId>>
  proposal(claim: Seeded<ClaimId>, candidate: Seeded<ClaimId>): Promise<ProposalId>
  deadLetter(letter: SeededDeadLetter): Promise<SignalId>
}

interface SeededRepeat {
  /** Null: it came before the words of repeats were kept. */
  readonly text?: string | null
  readonly sourceUrl?: string
  readonly actorName?: string
  readonly actorKey?: string
  readonly occurredAt?: Date
}

export interface OperationsKit {
  readonly database: TestDatabase
  /** What operations appended to the head of the pipeline. */
  readonly appended: SignalRecord[]
  /** What the stores answer; the tests have some of them fail. */
  readonly checks: { -readonly [Name in keyof StoreChecks]: StoreChecks[Name] }
  /** What is allowed; the tests allow less. */
  readonly quotas: { -readonly [Name in keyof Quotas]: Quotas[Name] }
  /** What `services.now` answers; the tests move it. */
  now: Date
  workspace(): Promise<Workspace>
  /** Resolves when nothing is being embedded for the search. */
  embedded(): Promise<unknown>
  stop(): Promise<void>
}

const { signalCodec } = createCodecs(createMemoryRegistry())

const silent: Analytics = {
  query: async () => [],
  insert: async () => {},
  remove: async () => {},
  rewrite: async () => {},
  ping: async () => {},
  close: async () => {},
}

const answers = async (): Promise<void> => {}

/** For `assert.rejects`: whether a call failed with this code, and says this. */
export const failsWith =
  (code: ErrorCode, message = /./) =>
  (error: unknown): boolean =>
    isAssayError(error) && error.code === code && message.test(error.publicMessage)

/**
 * The operations on a database of their own, called as the tools call them. Without `analytics`, nothing has happened.
 */
export const startOperations = async (analytics: Analytics = silent): Promise<OperationsKit> => {
  const database = await startTestDatabase()
  const embedder = createBuiltInEmbedder()
  const meanings = createMeanings(embedder)
  const kit: OperationsKit = {
    database,
    appended: [],
    checks: { database: answers, analytics: answers, log: answers, registry: answers, embedder: answers },
    quotas: parseConfig(QUOTA_CONFIG, {}),
    now: new Date('2026-06-01T12:00:00Z'),
    workspace: async () => {
      const [id] = await database.workspaces(1)
      assert.ok(id)
      return workspaceOf(id)
    },
    embedded: meanings.idle,
    stop: async () => {
      await meanings.idle()
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
    neighbours: createNeighbours({ maxBytes: 64 * 1024 * 1024, createIndex: createScannedIndex }),
    texts: createSearchTexts({ maxBytes: 64 * 1024 * 1024 }),
    meanings,
    appendSignal: async signal => {
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
  const call = createCall({
    database: database.database,
    services,
    buffer: { add: () => {}, close: async () => {} },
    limit: { admit: async () => {}, add: async () => {} },
    evictKey: () => {},
    log: createLogger({ level: 'silent', program: 'test' }),
  })

  const workspaceOf = (id: WorkspaceId): Workspace => {
    const caller: Caller = {
      tenantId: newId<TenantId>(),
      workspaceId: id,
      userId: newId<UserId>(),
      userName: 'Owner',
      role: 'owner',
      via: { kind: 'key', keyId: newId<KeyId>(), label: 'Agent' },
    }
    const number = (kind: 'signal' | 'claim') =>
      database.database.transaction({ role: 'assay_pipeline', workspaceIds: [id] }, transaction =>
        nextNumber(transaction, kind, id),
      )
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
        const operation = registry.get(name)
        assert.ok(operation, `there is no operation ${name}`)
        const administers = as === 'administrator'
        const role = administers ? 'viewer' : as
        const person: Caller = { ...caller, userId, role, via: { kind: 'app', administers } }
        const answered = await call(operation, { caller: person, input: { ...input }, idempotencyKey: null })
        return JSON.parse(JSON.stringify(answered))
      },
      run: (operation, input, idempotencyKey) => {
        const through: Caller['via'] =
          operation.audience === 'people'
            ? { kind: 'app', administers: operation.role === 'administrator' }
            : caller.via
        return call(operation, { caller: { ...caller, via: through }, input, idempotencyKey: idempotencyKey ?? null })
      },
      signal: async seeded => {
        const signalId = seeded.id ?? newId<SignalId>()
        const [vector] = await embedder.embed([seeded.text])
        assert.ok(vector)
        const inserted = await number('signal')
        const signal = {
          signal_id: signalId,
          workspace_id: id,
          source_id: null,
          channel: seeded.channel ?? ('webhook' as const),
          received_at: (seeded.receivedAt ?? seeded.occurredAt ?? kit.now).getTime(),
          content: {
            text: seeded.text,
            text_hash: createHash('sha256').update(seeded.text).digest('hex'),
            event: null,
            source: seeded.source ?? 'support desk',
            source_url: null,
            actor_name: seeded.actorName ?? 'Sender',
            actor_email: null,
            actor_key: seeded.actorKey ?? null,
            signal_origin: seeded.origin ?? ('customer' as const),
            actor_role: 'user' as const,
            occurred_at: seeded.occurredAt?.getTime() ?? null,
            metadata: JSON.stringify(seeded.metadata ?? { plan: 'free' }),
          },
          embedding: { model: embedder.model, vector: toVectorBytes(vector) },
          anchor: { node_id: seeded.nodeId ?? null, score: seeded.nodeId === undefined ? null : 0.9 },
          classification: { label: seeded.classification ?? ('problem' as const), confidence: 0.8, version: 'test' },
        }
        await database.database.transaction({ role: 'assay_pipeline', workspaceIds: [id] }, transaction =>
          insertSignals(transaction, [{ signal, number: inserted }]),
        )
        return { id: signalId, reference: reference('signal', inserted) }
      },
      occurrence: async (signalId, of = {}) => {
        const occurrenceId = newId<SignalId>()
        await database.pool.query(
          `insert into occurrences (id, workspace_id, signal_id, reason, similarity, channel, text, source, source_url, actor_name,
             actor_key, signal_origin, actor_role, metadata, occurred_at, received_at)
           values ($1, $2, $3, 'near_duplicate', 0.9, 'webhook', $4, 'support desk', $5, $6, $7, 'customer', 'user', $8, $9, $9)`,
          [
            occurrenceId,
            id,
            signalId,
            of.text === undefined ? 'We have met this too.' : of.text,
            of.sourceUrl ?? 'https://desk.example/again',
            of.actorName ?? 'Sender',
            of.actorKey ?? null,
            { plan: 'team' },
            of.occurredAt ?? kit.now,
          ],
        )
        return occurrenceId
      },
      claim: async (title, evidence = []) => {
        const claimId = newId<ClaimId>()
        const claimed = await number('claim')
        await database.pool.query(
          `insert into claims (id, workspace_id, number, kind, title, statement) values ($1, $2, $3, 'problem', $4, $4)`,
          [claimId, id, claimed, title],
        )
        await database.pool.query(
          `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason)
           select $1, $2, signal_id, 'cluster', 'test', 'Starts the claim.' from unnest($3::uuid[]) as signal_id`,
          [id, claimId, evidence.map(signal => signal.id)],
        )
        return { id: claimId, reference: reference('claim', claimed) }
      },
      proposal: async (claim, candidate) => {
        const proposalId = newId<ProposalId>()
        await database.pool.query(
          `insert into merge_proposals (id, workspace_id, claim_id, candidate_claim_id, score, similarity, reason)
           values ($1, $2, $3, $4, 0.03, 0.6, 'They look alike.')`,
          [proposalId, id, claim.id, candidate.id],
        )
        return proposalId
      },
      deadLetter: async ({ step, sealed, message, record = {}, ...known }) => {
        const signalId = newId<SignalId>()
        const value = await signalCodec.encode({
          ...receivedSignal(
            {
              signal_id: signalId,
              tenant_id: caller.tenantId,
              workspace_id: id,
              source_id: null,
              channel: 'webhook',
              received_at: kit.now.getTime(),
            },
            { format: 'signal', body: '{}' },
          ),
          ...record,
        })
        await database.pool.query(
          `insert into dead_letters (signal_id, step, workspace_id, topic, fault, error_class, message, attempts,
             first_failed_at, last_failed_at, sealed, record)
           values ($1, $2, $3, $7, $8, $9, $4, 1, $5, $5, $6, $10)`,
          [
            signalId,
            step,
            id,
            message,
            kit.now,
            sealed,
            known.topic ?? 'signals.validate',
            known.fault ?? 'sender',
            known.errorClass ?? 'InvalidSignal',
            sealed ? services.seal(Buffer.from(value).toString('base64')) : value,
          ],
        )
        return signalId
      },
    }
  }
  return kit
}
