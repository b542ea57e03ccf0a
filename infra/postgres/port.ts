import type { KeyId, UserId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { MemberRole } from '../../schemas/domain/vocabulary.ts'

/** A transaction that is under way. Nothing but its own queries is awaited inside it. */
export interface Transaction {
  /**
   * Runs one statement with values bound to `$1`, `$2`, …; answers its rows. Statements that are asked without waiting
   * for each other run in the order in which they were asked, without a round trip between them. When one fails, those
   * behind it fail as well.
   */
  query<Row extends object>(statement: string, values?: readonly unknown[]): Promise<Row[]>
}

/**
 * Whom a transaction works for. The database looks them up as the transaction opens, before any other statement. It
 * refuses with `unauthorized` once the key or the session has ended, and with `forbidden` once the person is no member,
 * or has less than the role that is said here.
 */
export interface Standing {
  readonly workspaceId: WorkspaceId
  readonly userId: UserId
  /** What the caller was admitted with; by now it may be more. */
  readonly role: MemberRole
  /** The caller was admitted as an administrator of the installation. */
  readonly administers: boolean
  readonly proof: { readonly keyId: KeyId } | { readonly sessionId: string }
  /**
   * What nobody else may change until the transaction ends. Null: nothing, as for a read. `own`: the caller's
   * membership, and the key or session. Those that change more hold all of it at once: `owners` of the workspace, or
   * the installation's `administrators`.
   */
  readonly holds: 'own' | 'owners' | 'administrators' | null
}

/**
 * Who a transaction works as. Row-level security then shows and accepts only that role's rows: `assay_app` one
 * workspace, `assay_sandbox` one that is a sandbox, which it may empty, `assay_transfer` everything of one workspace,
 * to export it or to fill it from an export; `assay_erasure` everything of one workspace, to erase what is to go;
 * `assay_pipeline` the workspaces of a batch; `assay_accounts` who may enter where (members, keys, sources by their
 * owner), and `assay_edge` the registry of sources, both across workspaces and without any evidence.
 */
export type Scope = {
  /**
   * The statements need not be one transaction: those of a read, or a single one that writes. On the embedded engine,
   * which has one session, each then travels as a transaction of its own with what is asked together with it, and
   * others are served between.
   */
  readonly isDivisible?: boolean
} & (
  | {
      readonly role: 'assay_app'
      readonly workspaceId: WorkspaceId
      /** Also while an export is being imported into the workspace, when it is closed to all else: `conflict`. */
      readonly whileImported?: boolean
      readonly standing?: Standing
    }
  | { readonly role: 'assay_sandbox'; readonly workspaceId: WorkspaceId; readonly standing?: Standing }
  | { readonly role: 'assay_transfer' | 'assay_erasure'; readonly workspaceId: WorkspaceId }
  | { readonly role: 'assay_pipeline'; readonly workspaceIds: readonly WorkspaceId[] }
  | { readonly role: 'assay_accounts'; readonly standing?: Standing }
  | { readonly role: 'assay_edge' }
)

export interface Database {
  /**
   * Runs `work` in one transaction under the scope's role: committed when it resolves, rolled back when it rejects.
   * Rejects with `unavailable` when the database cannot be reached; errors of SQLSTATE class 22 and 23 keep their
   * `cause`.
   */
  transaction<T>(scope: Scope, work: (transaction: Transaction) => Promise<T>): Promise<T>
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * Who asks the database. The embedded engine has one session and serves people first, then the pipeline's live work,
 * and bulk last. Who only looks, again and again, whether there is something to do is served as live work is, and bulk
 * need not expect that it asks for more. A server shows who asks by the name of the application.
 */
export const APPLICATION_NAMES = {
  people: 'assay',
  pipeline: 'assay pipeline',
  polling: 'assay polling',
  bulk: 'assay bulk',
} as const

export type Priority = keyof typeof APPLICATION_NAMES

// The keys of an object are typed as any text.
const PRIORITIES = Object.keys(APPLICATION_NAMES) as Priority[]

export const priorityOf = (applicationName: string | undefined): Priority =>
  PRIORITIES.find(priority => APPLICATION_NAMES[priority] === applicationName) ?? 'people'
