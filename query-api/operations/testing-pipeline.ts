import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createMemoryRegistry } from '../../infra/log/testing-registry.ts'
import type { Embedder } from '../../infra/models/port.ts'
import type { TestDatabase } from '../../infra/postgres/testing.ts'
import { toVectorBytes } from '../../infra/vectors.ts'
import { createCodecs } from '../../model/codecs.ts'
import { nextNumber } from '../../model/references/next-numbers.ts'
import { insertSignals } from '../../model/signals/store-signals.ts'
import { type ClaimId, type NodeId, newId, type ProposalId, type SignalId } from '../../schemas/domain/ids.ts'
import {
  type Channel,
  type Classification,
  type Fault,
  type Need,
  reference,
  type SignalOrigin,
} from '../../schemas/domain/vocabulary.ts'
import { type Cuts, NO_CUTS, receivedSignal, type SignalRecord } from '../../schemas/events/signal.ts'
import type { Caller, Services } from './define.ts'

/** A test's fields of a signal; the rest has defaults. */
interface SeededSignal {
  /** New by default. */
  readonly id?: SignalId
  readonly text: string
  readonly origin?: SignalOrigin
  readonly actorKey?: string
  readonly actorName?: string
  readonly source?: string
  readonly occurredAt?: Date
  /** The time of the event by default, as for imported history. */
  readonly receivedAt?: Date
  readonly classification?: Classification
  readonly perhaps?: Need
  readonly nodeId?: NodeId
  readonly channel?: Channel
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly cuts?: Partial<Cuts>
}

interface SeededDeadLetter {
  readonly step: string
  readonly sealed: boolean
  readonly message: string
  readonly topic?: string
  readonly fault?: Fault
  readonly errorClass?: string
  /** Additional parts of the record. */
  readonly record?: Partial<SignalRecord>
}

interface Seeded<Id> {
  readonly id: Id
  readonly reference: string
}

interface SeededRepeat {
  /** Null for a repeat from before the words of repeats were stored. */
  readonly text?: string | null
  readonly sourceUrl?: string
  readonly actorName?: string
  readonly actorKey?: string
  readonly occurredAt?: Date
  readonly source?: string
  readonly event?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** Data that the pipeline would have stored in a workspace. */
export interface PipelineSeeds {
  signal(signal: SeededSignal): Promise<Seeded<SignalId>>
  occurrence(signalId: SignalId, of?: SeededRepeat): Promise<SignalId>
  claim(title: string, evidence?: readonly Seeded<SignalId>[]): Promise<Seeded<ClaimId>>
  proposal(claim: Seeded<ClaimId>, candidate: Seeded<ClaimId>): Promise<ProposalId>
  deadLetter(deadLetter: SeededDeadLetter): Promise<SignalId>
}

export const { signalCodec } = createCodecs(createMemoryRegistry())

interface Means {
  readonly database: TestDatabase
  readonly embedder: Embedder
  readonly seal: Services['seal']
  readonly now: () => Date
}

/** Stores the pipeline's data in a caller's workspace. */
export const pipelineSeeds = (
  { database, embedder, seal, now }: Means,
  { tenantId, workspaceId: id }: Pick<Caller, 'tenantId' | 'workspaceId'>,
): PipelineSeeds => {
  const number = (kind: 'signal' | 'claim') =>
    database.database.transaction({ role: 'assay_pipeline', workspaceIds: [id] }, transaction =>
      nextNumber(transaction, kind, id),
    )

  return {
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
        received_at: (seeded.receivedAt ?? seeded.occurredAt ?? now()).getTime(),
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
          ...NO_CUTS,
          ...seeded.cuts,
        },
        embedding: { model: embedder.model, vector: toVectorBytes(vector), own_text: 0 },
        anchor: { node_id: seeded.nodeId ?? null, score: seeded.nodeId === undefined ? null : 0.9 },
        classification: {
          label: seeded.classification ?? ('problem' as const),
          confidence: 0.8,
          version: 'test',
          perhaps: seeded.perhaps ?? null,
        },
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
           actor_key, signal_origin, actor_role, metadata, occurred_at, received_at, event)
         values ($1, $2, $3, 'near_duplicate', 0.9, 'webhook', $4, $10, $5, $6, $7, 'customer', 'user', $8, $9, $9, $11)`,
        [
          occurrenceId,
          id,
          signalId,
          of.text === undefined ? 'We have met this too.' : of.text,
          of.sourceUrl ?? 'https://desk.example/again',
          of.actorName ?? 'Sender',
          of.actorKey ?? null,
          of.metadata ?? { plan: 'team' },
          of.occurredAt ?? now(),
          of.source ?? 'support desk',
          of.event ?? null,
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
            tenant_id: tenantId,
            workspace_id: id,
            source_id: null,
            channel: 'webhook',
            received_at: now().getTime(),
          },
          { format: 'signal', body: '{}' },
        ),
        ...record,
      })
      await database.pool.query(
        `insert into dead_letters (signal_id, step, workspace_id, topic, fault, error_class, message, attempts,
           first_failed_at, last_failed_at, sealed, record, source_id)
         values ($1, $2, $3, $7, $8, $9, $4, 1, $5, $5, $6, $10, $11)`,
        [
          signalId,
          step,
          id,
          message,
          now(),
          sealed,
          known.topic ?? 'signals.validate',
          known.fault ?? 'sender',
          known.errorClass ?? 'InvalidSignal',
          sealed ? seal(Buffer.from(value).toString('base64')) : value,
          record.source_id ?? null,
        ],
      )
      return signalId
    },
  }
}
