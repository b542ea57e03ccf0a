import type { KeyId, UserId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { MemberRole } from '../../schemas/domain/vocabulary.ts'

/** An open transaction. Await nothing but its queries inside it. */
export interface Transaction {
  /**
   * Runs a statement with values bound to `$1`, `$2`, …, and returns its rows. Concurrent statements run in the order
   * of their calls, without a round trip between them. When one fails, the later ones fail too.
   *
   * @example const [claim] = await transaction.query<{ title: string }>('select title from claims where id = $1', [id])
   */
  query<Row extends object>(statement: string, values?: readonly unknown[]): Promise<Row[]>
}

/**
 * The person that a transaction works for. The database checks this as the transaction opens, before any other
 * statement. It refuses with `unauthorized` when the key or session has ended, and with `forbidden` when the person is
 * no member, or has a lower role than this.
 */
export interface Standing {
  readonly workspaceId: WorkspaceId
  readonly userId: UserId
  /** The role that the caller was admitted with; the current role may be higher. */
  readonly role: MemberRole
  /** The caller was admitted as an administrator of the installation. */
  readonly administers: boolean
  readonly proof: { readonly keyId: KeyId } | { readonly sessionId: string }
  /**
   * Rows that are locked until the transaction ends. Null: none, for a read. `own`: the caller's membership and key or
   * session. Transactions that change more lock all of it at once: the workspace's `owners`, or the installation's
   * `administrators`.
   */
  readonly holds: 'own' | 'owners' | 'administrators' | null
}

/**
 * The role that a transaction works in; row-level security shows and accepts only that role's rows. `assay_app`: one
 * workspace. `assay_sandbox`: a sandbox workspace, which it may empty. `assay_transfer`: everything of one workspace,
 * for export and import. `assay_erasure`: everything of one workspace, for erasures. `assay_pipeline`: the workspaces
 * of a batch. `assay_accounts`: members, keys and sources of all workspaces, without evidence. `assay_edge`: the
 * sources of all workspaces, without evidence.
 */
export type Scope = {
  /**
   * The statements need not share a transaction: those of a read, or a single write. The embedded engine, which has one
   * session, then runs statements requested together as one transaction, and serves others between.
   */
  readonly isDivisible?: boolean
} & (
  | {
      readonly role: 'assay_app'
      readonly workspaceId: WorkspaceId
      /** Also works while an export is imported into the workspace, which otherwise gives `conflict`. */
      readonly allowedDuringImport?: boolean
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
   * Runs `work` in one transaction in the scope's role: committed when it resolves, rolled back when it rejects.
   * Rejects with `unavailable` when the database cannot be reached. Errors of SQLSTATE classes 22 and 23 keep their
   * `cause`.
   *
   * @example
   * const rows = await database.transaction({ role: 'assay_app', workspaceId }, ({ query }) =>
   *   query<{ id: ClaimId }>('select id from claims'),
   * )
   */
  transaction<T>(scope: Scope, work: (transaction: Transaction) => Promise<T>): Promise<T>
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * Application names, by who asks. The embedded engine has one session: it serves people first, then the pipeline's live
 * work, then bulk. Polling is served like live work, but bulk does not wait for more of it. A server shows the names.
 */
export const APPLICATION_NAMES = {
  people: 'assay',
  pipeline: 'assay pipeline',
  polling: 'assay polling',
  bulk: 'assay bulk',
} as const

export type Priority = keyof typeof APPLICATION_NAMES

// `Object.keys` is typed as text.
const PRIORITIES = Object.keys(APPLICATION_NAMES) as Priority[]

/** `people` for an unknown name. */
export const priorityOf = (applicationName: string | undefined): Priority =>
  PRIORITIES.find(priority => APPLICATION_NAMES[priority] === applicationName) ?? 'people'
