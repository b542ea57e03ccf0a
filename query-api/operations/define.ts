import type { Static, TObject, TSchema } from 'typebox'
import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { Embedder } from '../../infra/models/port.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { KeptLedgers } from '../../model/ledger/kept-ledgers.ts'
import type { Neighbours } from '../../model/neighbours/neighbours.ts'
import type { Quotas } from '../../model/quotas/quotas.ts'
import type { Meanings } from '../../model/search/meanings.ts'
import type { SearchTexts } from '../../model/search/search-texts.ts'
import type { ChangeId, KeyId, TenantId, UserId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { MemberRole } from '../../schemas/domain/vocabulary.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import type { OutgoingMail } from '../mail/mail-queue.ts'
import type { Worker } from '../worker/work.ts'
import type { BodyLimits } from './parts/body-limits.ts'
import type { Dependencies } from './pipeline/dependencies.ts'

/** Re-exports the schemas, the error and the transaction that nearly every operation needs. */
export { type Static, Type } from 'typebox'
export type { Transaction } from '../../infra/postgres/port.ts'
export { AssayError } from '../../infra/runtime/errors.ts'

/** The caller: a member of one workspace, in the app or through a key that acts as its owner. */
export interface Caller {
  readonly tenantId: TenantId
  readonly workspaceId: WorkspaceId
  readonly userId: UserId
  readonly userName: string
  readonly role: MemberRole
  readonly via:
    | {
        readonly kind: 'app'
        /** True for an administrator of the installation; never for a key. */
        readonly administers: boolean
        /** Id of the session, which is no secret. */
        readonly sessionId: string
      }
    | {
        readonly kind: 'key'
        readonly keyId: KeyId
        readonly label: string
        /** Absent for a key that does all agent work in its workspace. */
        readonly scope?: 'provisioning'
      }
}

/** True for an operator's key, which can only make and list workspaces. */
export const isProvisioning = ({ via: through }: Caller): boolean =>
  through.kind === 'key' && through.scope === 'provisioning'

/** Name of the caller in evidence and merges: the member and their key. */
export const actorLabel = ({ userName, via: through }: Caller): string =>
  through.kind === 'app' ? userName : `${userName}, through the key "${through.label}"`

/** Services of operations beyond Postgres. Constructed once, in `main.ts`. */
export interface Services {
  readonly analytics: Analytics
  readonly embedder: Embedder
  /** The stores, the processors and the models, with their availability. */
  readonly dependencies: Dependencies
  /** Start of this process: its configuration has been the same at least since then. */
  readonly startedAt: Date
  /** Sign bits of signals' vectors, for the search. */
  readonly neighbours: Neighbours
  /** Words of searchable texts. */
  readonly texts: SearchTexts
  /** Computes vectors of searchable texts. */
  readonly meanings: Meanings
  /** Ledgers that account for every signal. */
  readonly ledgers: KeptLedgers
  /** Runs large work on a worker thread. */
  readonly worker: Pick<Worker, 'run'>
  /** Appends a signal to the pipeline's first topic, like the edge; resolves when it is durable. */
  readonly appendSignal: (signal: SignalRecord) => Promise<void>
  /** Encodes a record of the signal topics. Rejects with `unavailable` while the registry is away. */
  readonly encodeSignal: (signal: SignalRecord) => Uint8Array | Promise<Uint8Array>
  /** Decodes a record of the signal topics. Rejects with `invalid_input` for other bytes. */
  readonly readSignal: (record: Uint8Array) => Promise<SignalRecord>
  /** Public address of the service, without a trailing slash. */
  readonly baseUrl: string
  /** Domain of the ingestion addresses; null when the installation receives no mail. */
  readonly mailDomain: string | null
  /** Queue of outgoing mail; null when the installation sends none. */
  readonly mail: OutgoingMail | null
  /** Limits of numbers and of file sizes. */
  readonly quotas: Quotas
  readonly now: () => Date
  /**
   * Seals a secret whose plain text is needed later to verify a signature (AES-256-GCM under the installation's key).
   */
  readonly seal: (plaintext: string) => Uint8Array
  /** Throws `internal` for a value that another installation sealed. */
  readonly unseal: (sealed: Uint8Array) => string
  /** The keyed HMAC that replaces a sender's address, as in scrub. */
  readonly actorKey: (address: string) => string
  /** Unseals a piece of a file, with the errors of `unseal`. */
  readonly unsealBytes: (sealed: Uint8Array) => Uint8Array
}

export interface ReadContext {
  readonly caller: Caller
  readonly services: Services
  readonly idempotencyKey: string | null
  /** One transaction in the caller's workspace. An operation may open several, and awaits nothing else inside one. */
  readonly read: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>
}

/** Context of a write's preparation, which must change no store. */
export interface PrepareContext extends Omit<ReadContext, 'services'> {
  readonly services: Pick<Services, 'embedder' | 'encodeSignal' | 'now'>
}

export interface WriteContext {
  readonly caller: Caller
  readonly services: Pick<Services, 'baseUrl' | 'mailDomain' | 'mail' | 'quotas' | 'now' | 'seal'>
  /** Makes this process drop a key at once; called from `afterCommit`. */
  readonly evictKey: (key: KeyId) => void
  readonly changeId: ChangeId
}

export interface Answer<Data> {
  readonly data: Data
  /** Cursor of the next page; null at the end of a list. */
  readonly nextCursor?: string | null
  /** A hint about the answer, for example that fewer items fit than were requested. */
  readonly note?: string | null
  /** Number of things that a batch processed or a job will process: each costs the call's units. 1 by default. */
  readonly size?: number
  /**
   * Fields of `data` that must not be stored with an idempotent answer, such as a secret shown once. A repetition has
   * null there, which `output` must allow.
   */
  readonly secretFields?: readonly string[]
  readonly undoes?: ChangeId
  /** False when this call's change cannot be undone, unlike others of its operation. */
  readonly isUndoable?: false
  /** Runs after the commit, for state in this process's memory. Must not throw. */
  readonly afterCommit?: () => void
}

interface Common<Input extends TObject, Output extends TSchema> {
  /** Name of the primitive, a verb and its object: `lookup_claim`. */
  readonly name: string
  readonly title: string
  /** Purpose and use of the operation, for an agent that reads only this text. */
  readonly summary: string
  readonly units: number
  /**
   * Lowest role that may call. `administrator` means the installation's, whatever the role in the workspace, and is for
   * people only.
   */
  readonly role: MemberRole | 'administrator'
  /** `people`: reachable only through the app's door; no tool, no key. */
  readonly audience: 'everyone' | 'people'
  /**
   * True when a key with the scope `provisioning` can call it, whatever the audience; such a key can call nothing else.
   */
  readonly provisioning?: boolean
  /**
   * Database role of its transactions; by default `assay_app`, which sees the caller's workspace alone.
   * `assay_accounts` sees the members of every workspace: such an operation is for people and names the caller in every
   * statement. `assay_sandbox` can delete everything in the caller's workspace, and sees nothing outside a sandbox.
   */
  readonly databaseRole?: 'assay_app' | 'assay_accounts' | 'assay_sandbox'
  /** Limits of the request's body, when they exceed the usual ones. */
  readonly body?: BodyLimits
  /** True when the operation answers during a workspace import, which blocks all others. */
  readonly allowedDuringImport?: boolean
  readonly input: Input
  /**
   * Fields that tool lists leave out, because another field says the same in fewer words, or because they are rarely
   * needed. Calls may use them.
   */
  readonly omittedFields?: readonly string[]
  /**
   * Advice for known mistakes of agents, by the top-level field that did not fit. The refusal's sentence ends with it.
   */
  readonly hints?: Readonly<Record<string, string>>
  /** Schema of `data`. */
  readonly output: Output
}

export interface ReadOperation<Input extends TObject = TObject, Output extends TSchema = TSchema>
  extends Common<Input, Output> {
  readonly effect: 'read'
  readonly run: (input: Static<Input>, context: ReadContext) => Promise<Answer<Static<Output>>>
}

export interface WriteOperation<Input extends TObject = TObject, Output extends TSchema = TSchema, Prepared = unknown>
  extends Common<Input, Output> {
  /** `destructive`: can delete or end something for good. Clients may ask their human before. */
  readonly effect: 'write' | 'destructive'
  /**
   * Reason why `undo_change` cannot undo the write, and what to do instead. When absent, the changed rows are restored.
   */
  readonly cannotBeUndone?: string
  /**
   * True when it changes memberships, other people's too: it then locks the workspace's owners first, in the common
   * order.
   */
  readonly changesMembers?: boolean
  /**
   * Work that must run outside of the transaction, such as an embedding. It changes nothing: it may run again for an
   * idempotency key, and for a caller who has lost the right to write.
   */
  readonly prepare?: (input: Static<Input>, context: PrepareContext) => Promise<Prepared>
  /**
   * A change outside of the database, before the transaction, that is harmless when repeated or in vain. It may take
   * long; the embedded database's only session stays free meanwhile.
   */
  readonly changeBefore?: (prepared: Prepared, services: Services) => Promise<void>
  /**
   * A change outside of the database, such as an append to the log. It runs last in the transaction, when everything
   * else is stored and the caller's right and idempotency key are locked: only with the right, and once for a key. A
   * rejection rolls everything back. Only a failed commit leaves the change done, so its repetition must have the same
   * effect.
   */
  readonly changeOutside?: (prepared: Prepared, services: Services) => Promise<void>
  /** Runs in the one transaction that also stores the idempotent answer and the activity. */
  readonly apply: (
    input: Static<Input>,
    transaction: Transaction,
    context: WriteContext,
    prepared: Prepared,
  ) => Promise<Answer<Static<Output>>>
}

/** An operation in the registry, without its own types: `call` validates the input before it runs. */
export type Operation = ReadOperation | WriteOperation

/** An operation with its name and types for the app's client. `signature` never exists at run time. */
type Defined<Name extends string, Input extends TObject, Output extends TSchema> = Operation & {
  readonly name: Name
  readonly signature?: { readonly input: Static<Input>; readonly output: Static<Output> }
}

/**
 * Defines a capability once; the primitive, the mode, the schemas, OpenAPI, the app's door and its client derive from
 * it.
 * @example
 * readOperation({ name: 'lookup_claim', …, input: Type.Object({ id }), output: ClaimShape, run: (input, { read }) => …
 * })
 */
export const readOperation = <const Name extends string, Input extends TObject, Output extends TSchema>(
  definition: Omit<ReadOperation<Input, Output>, 'effect'> & { readonly name: Name },
): Defined<Name, Input, Output> =>
  // The registry is heterogeneous. The cast is sound, because `call` checks the input against `input` before `run` gets
  // it.
  ({ ...definition, effect: 'read' }) as unknown as Defined<Name, Input, Output>

export const writeOperation = <
  const Name extends string,
  Input extends TObject,
  Output extends TSchema,
  Prepared = undefined,
>(
  definition: WriteOperation<Input, Output, Prepared> & { readonly name: Name },
): Defined<Name, Input, Output> => definition as unknown as Defined<Name, Input, Output>

/** Refuses an object that was deleted since the last statement. */
export const throwDeleted = (what: string): never => {
  throw new AssayError('not_found', `The ${what} is not there any more.`)
}
