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

/** What nearly every operation is written with comes from here too: its schemas, its one error, its transaction. */
export { type Static, Type } from 'typebox'
export type { Transaction } from '../../infra/postgres/port.ts'
export { AssayError } from '../../infra/runtime/errors.ts'

/** Who calls: a member of one workspace, in the app or through a key that acts as its owner. */
export interface Caller {
  readonly tenantId: TenantId
  readonly workspaceId: WorkspaceId
  readonly userId: UserId
  readonly userName: string
  readonly role: MemberRole
  readonly via:
    | {
        readonly kind: 'app'
        /** Whether they are an administrator of the installation; a key never acts as one. */
        readonly administers: boolean
        /** The session's id, which is no secret. */
        readonly sessionId: string
      }
    | {
        readonly kind: 'key'
        readonly keyId: KeyId
        readonly label: string
        /** Unless it says otherwise: all agent work in its workspace. */
        readonly scope?: 'provisioning'
      }
}

/** Whether the caller is an operator's key, which makes and lists workspaces and does nothing else. */
export const isProvisioning = ({ via: through }: Caller): boolean =>
  through.kind === 'key' && through.scope === 'provisioning'

/** Who decides, as evidence and merges name them: the member, and the key that they work through. */
export const actorLabel = ({ userName, via: through }: Caller): string =>
  through.kind === 'app' ? userName : `${userName}, through the key "${through.label}"`

/** What operations may use beyond Postgres. Constructed once, in `main.ts`. */
export interface Services {
  readonly analytics: Analytics
  readonly embedder: Embedder
  /** The stores, the processors and the models, and whether they answer. */
  readonly dependencies: Dependencies
  /** When this process began to serve: what it is configured with has been so since then, at the least. */
  readonly startedAt: Date
  /** The sign bits of signals' vectors, for the search. */
  readonly neighbours: Neighbours
  /** The words of what the search finds. */
  readonly texts: SearchTexts
  /** Gives texts that the search finds their vectors. */
  readonly meanings: Meanings
  /** The accounts of signals. */
  readonly ledgers: KeptLedgers
  /** Does what is large on a thread of its own. */
  readonly worker: Pick<Worker, 'run'>
  /** Appends a signal to the head of the pipeline, as the edge does; resolves once it is durable. */
  readonly appendSignal: (signal: SignalRecord) => Promise<void>
  /** Makes a record of the signal topics; rejects with `unavailable` while the registry is away. */
  readonly encodeSignal: (signal: SignalRecord) => Uint8Array | Promise<Uint8Array>
  /** Reads a record of the signal topics; rejects with `invalid_input` for bytes that are none. */
  readonly readSignal: (record: Uint8Array) => Promise<SignalRecord>
  /** Where senders and agents reach the service, without a trailing slash. */
  readonly baseUrl: string
  /** The domain of the ingestion addresses; null when this installation takes no mail. */
  readonly mailDomain: string | null
  /** Where mails to be sent wait; null where this installation sends none. */
  readonly mail: OutgoingMail | null
  /** How many of a thing there may be, and how long files may be. */
  readonly quotas: Quotas
  readonly now: () => Date
  /** Seals a secret that must be known again to verify a signature (AES-256-GCM under the installation's key). */
  readonly seal: (plaintext: string) => Uint8Array
  /** Throws `internal` for what another installation sealed. */
  readonly unseal: (sealed: Uint8Array) => string
  /** The keyed HMAC that takes the place of a sender’s address, as scrub makes it. */
  readonly actorKey: (address: string) => string
  /** As `unseal`, of a piece of a file. */
  readonly unsealBytes: (sealed: Uint8Array) => Uint8Array
}

export interface ReadContext {
  readonly caller: Caller
  readonly services: Services
  readonly idempotencyKey: string | null
  /** One transaction as the caller's workspace; an operation may open several, and awaits nothing else inside one. */
  readonly read: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>
}

/** What a write prepares itself with: nothing of it changes a store. */
export interface PrepareContext extends Omit<ReadContext, 'services'> {
  readonly services: Pick<Services, 'embedder' | 'encodeSignal' | 'now'>
}

export interface WriteContext {
  readonly caller: Caller
  readonly services: Pick<Services, 'baseUrl' | 'mailDomain' | 'mail' | 'quotas' | 'now' | 'seal'>
  /** Makes this process stop honouring a key at once; called from `afterCommit`. */
  readonly evictKey: (key: KeyId) => void
  /** What this call will be known by once it has changed something. */
  readonly changeId: ChangeId
}

export interface Answer<Data> {
  readonly data: Data
  /** Continues a list; null at its end. */
  readonly nextCursor?: string | null
  /** What the caller should know of how it was answered, such as that fewer items fit than were asked for. */
  readonly note?: string | null
  /**
   * How many things a batch worked on, or a long job will: the call costs its units for each. 1 unless it says
   * otherwise.
   */
  readonly size?: number
  /**
   * Fields of `data` that must not be stored with an idempotent answer, such as a secret shown once: a repetition of
   * the call carries null there, which `output` must allow.
   */
  readonly secretFields?: readonly string[]
  /** The change that this write took back. */
  readonly undoes?: ChangeId
  /** False: what this one call did cannot be taken back, though others of its operation can. */
  readonly isUndoable?: false
  /** Runs once the write has committed: for what this process keeps in memory. Must not throw. */
  readonly afterCommit?: () => void
}

interface Common<Input extends TObject, Output extends TSchema> {
  /** The primitive's name, a verb and its object: `lookup_claim`. */
  readonly name: string
  readonly title: string
  /** What it does and when to use it, for an agent that reads only this. */
  readonly summary: string
  /** Work units that a call costs. */
  readonly units: number
  /**
   * The least role that may call it. `administrator`: of the installation, whatever the role in the workspace; for
   * people only.
   */
  readonly role: MemberRole | 'administrator'
  /** `people`: only the app's door reaches it; no tool, no key. */
  readonly audience: 'everyone' | 'people'
  /** Whether a key of the scope `provisioning` reaches it, whatever its audience: such a key reaches nothing else. */
  readonly provisioning?: boolean
  /**
   * The role that its transactions work as; `assay_app`, which sees the caller's workspace alone, unless it says
   * otherwise. `assay_accounts` sees who may enter every workspace: such an operation is for people and names the
   * caller in every statement. `assay_sandbox` may remove everything of the caller's workspace, and sees nothing where
   * that is no sandbox.
   */
  readonly worksAs?: 'assay_app' | 'assay_accounts' | 'assay_sandbox'
  /** How much the body of a request for it may be, where that is more than that of any other. */
  readonly body?: BodyLimits
  /** Whether it answers while an export is being imported into the workspace, when all else is refused. */
  readonly whileImported?: boolean
  readonly input: Input
  /**
   * Fields that tools leave out of their lists: another one says the same in fewer words, or nearly nobody needs it.
   * They are taken all the same.
   */
  readonly unlisted?: readonly string[]
  /**
   * Where agents are known to go wrong: what to do instead, by the top-level field that did not fit. It ends the
   * refusal's sentence.
   */
  readonly hints?: Readonly<Record<string, string>>
  /** The shape of `data`. */
  readonly output: Output
}

export interface ReadOperation<Input extends TObject = TObject, Output extends TSchema = TSchema>
  extends Common<Input, Output> {
  readonly effect: 'read'
  readonly run: (input: Static<Input>, context: ReadContext) => Promise<Answer<Static<Output>>>
}

export interface WriteOperation<Input extends TObject = TObject, Output extends TSchema = TSchema, Prepared = unknown>
  extends Common<Input, Output> {
  /** `destructive`: it can delete, or end for good, what no version keeps. Clients may ask their human before. */
  readonly effect: 'write' | 'destructive'
  /**
   * Why `undo_change` does not take it back, and what to do instead. Absent: it does, by the rows that were changed.
   */
  readonly cannotBeUndone?: string
  /**
   * Whether it changes memberships of the workspace, other people's too: it then holds its owners from the beginning,
   * in the order in which everybody does.
   */
  readonly changesMembers?: boolean
  /**
   * What must be awaited outside of the transaction, such as an embedding. It changes nothing anywhere: it may run
   * again for one idempotency key, and for a caller who may not write any more.
   */
  readonly prepare?: (input: Static<Input>, context: PrepareContext) => Promise<Prepared>
  /**
   * What it changes outside of the database before its transaction, where it harms nothing to do it twice or in vain:
   * it may take long, and the one session of the embedded database is not held meanwhile.
   */
  readonly changeBefore?: (prepared: Prepared, services: Services) => Promise<void>
  /**
   * What it changes outside of the database, such as an append to the log. It runs last in the transaction, when
   * everything else is stored and the caller's right and idempotency key are held: for nobody who may not, and once for
   * a key. Where it rejects, nothing is stored. Only a commit that fails behind it leaves it done, and then its
   * repetition must have the same effect.
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

/** An operation as the registry holds it, its own types forgotten: `call` validates the input before it runs. */
export type Operation = ReadOperation | WriteOperation

/**
 * An operation whose name and types the compiler remembers, for the app's client. `signature` is never there at run
 * time.
 */
type Defined<Name extends string, Input extends TObject, Output extends TSchema> = Operation & {
  readonly name: Name
  readonly signature?: { readonly input: Static<Input>; readonly output: Static<Output> }
}

/**
 * Defines a capability once. The primitive, the mode, the schemas, OpenAPI, the app's door and its client all come from
 * it.
 */
export const readOperation = <const Name extends string, Input extends TObject, Output extends TSchema>(
  definition: Omit<ReadOperation<Input, Output>, 'effect'> & { readonly name: Name },
): Defined<Name, Input, Output> =>
  // The registry is heterogeneous: `call` checks the input against `input` before `run` sees it, which makes this
  // sound.
  ({ ...definition, effect: 'read' }) as unknown as Defined<Name, Input, Output>

export const writeOperation = <
  const Name extends string,
  Input extends TObject,
  Output extends TSchema,
  Prepared = undefined,
>(
  definition: WriteOperation<Input, Output, Prepared> & { readonly name: Name },
): Defined<Name, Input, Output> => definition as unknown as Defined<Name, Input, Output>

/** For an object that was there a statement ago. */
export const throwDeleted = (what: string): never => {
  throw new AssayError('not_found', `The ${what} is not there any more.`)
}
