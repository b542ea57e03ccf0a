import type { Transaction } from '../../infra/postgres/port.ts'
import type { UserId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Digest } from '../../schemas/domain/vocabulary.ts'

export interface ChosenDigest {
  readonly digest: Digest
  /** End of the last digest; null before the first. */
  readonly digest_through: Date | null
  readonly email_verified: boolean
}

const READ = `
  select digest, digest_through, email_verified from members join account_users on account_users.id = user_id
  where workspace_id = $1 and user_id = $2`

/** Undefined for a person who is no member. */
export const readDigest = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  userId: UserId,
): Promise<ChosenDigest | undefined> => (await transaction.query<ChosenDigest>(READ, [workspaceId, userId]))[0]

// A change from daily to weekly leaves out nothing of the week. A new digest starts from now.
const SET = `
  update members set digest = $3, digest_through = case when $3 = 'never' then null else coalesce(digest_through, $4) end
  where workspace_id = $1 and user_id = $2`

export const setDigest = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  userId: UserId,
  digest: Digest,
  now: Date,
): Promise<void> => {
  await transaction.query(SET, [workspaceId, userId, digest, now])
}

export const DIGEST_DAYS: Readonly<Record<Exclude<Digest, 'never'>, number>> = { daily: 1, weekly: 7 }

export interface DueDigest {
  readonly workspace_id: WorkspaceId
  readonly workspace: string
  readonly user_id: UserId
  readonly email: string
  readonly digest: Exclude<Digest, 'never'>
  readonly digest_through: Date
}

/** Excludes unverified addresses, which may be somebody else's, and closed workspaces. */
const DUE = `
  select members.workspace_id, workspaces.name as workspace, user_id, email, digest, digest_through
  from members join workspaces on workspaces.id = members.workspace_id join account_users on account_users.id = user_id
  where digest <> 'never'
    and digest_through <= $1::timestamptz - case digest
      when 'daily' then interval '${DIGEST_DAYS.daily} days' else interval '${DIGEST_DAYS.weekly} days' end
    and email_verified and disabled_at is null and deleted_at is null and import_job_id is null
    and ($2::uuid is null or (members.workspace_id, user_id) > ($2, $3::uuid))
  order by members.workspace_id, user_id limit $4`

/** The next members whose digest is due. */
export const dueDigests = (
  transaction: Transaction,
  now: Date,
  after: Pick<DueDigest, 'workspace_id' | 'user_id'> | null,
  most: number,
): Promise<DueDigest[]> =>
  transaction.query<DueDigest>(DUE, [now, after?.workspace_id ?? null, after?.user_id ?? null, most])

const MOVE_ON = `
  update members set digest_through = $4
  where workspace_id = $1 and user_id = $2 and digest_through = $3 and digest <> 'never' returning 1`

/** Records the end of a digest. False when another processor has done so. */
export const moveDigestOn = async (
  transaction: Transaction,
  { workspace_id, user_id, digest_through }: DueDigest,
  to: Date,
): Promise<boolean> => (await transaction.query(MOVE_ON, [workspace_id, user_id, digest_through, to])).length > 0
