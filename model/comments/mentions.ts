import type { Transaction } from '../../infra/postgres/port.ts'
import type { CommentId, WorkspaceId } from '../../schemas/domain/ids.ts'

const FORGET = `delete from mentions where comment_id = $1 and member_id <> all ($2::uuid[])`
const MENTION = `
  insert into mentions (workspace_id, comment_id, member_id, written_at)
  select $1, $2, member, $4 from unnest($3::uuid[]) as member
  on conflict (comment_id, member_id) do nothing`

/** Whom a comment names, from now on: who was named before and still is has read it or not, as before. */
export const setMentions = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  comment: CommentId,
  members: readonly string[],
  at: Date,
): Promise<void> => {
  await transaction.query(FORGET, [comment, members])
  if (members.length > 0) await transaction.query(MENTION, [workspaceId, comment, members, at])
}

/** More than so many that nobody read are not counted. */
const MOST_COUNTED = 100

const COUNTS = `
  select
    (select count(*)::integer from mentions where member_id = $1) as count,
    (select count(*)::integer from (
      select from mentions where member_id = $1 and read_at is null limit ${MOST_COUNTED}) as waiting) as unread`

export interface MentionCounts {
  readonly count: number
  readonly unread: number
}

export const countMentions = async (transaction: Transaction, member: string): Promise<MentionCounts> =>
  (await transaction.query<MentionCounts>(COUNTS, [member]))[0] ?? { count: 0, unread: 0 }

export interface Mention {
  readonly comment_id: CommentId
  readonly read_at: Date | null
}

const PAGE = `
  select comment_id, read_at from mentions where member_id = $1
  order by comment_id desc limit $2 offset $3`

/** A page of the comments that name a member, the newest first. */
export const mentionsPage = (
  transaction: Transaction,
  member: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Mention[]> => transaction.query<Mention>(PAGE, [member, limit, offset])

const READ = `
  update mentions set read_at = $2
  where member_id = $1 and read_at is null and ($3::uuid[] is null or comment_id = any ($3))`

/** The member has read these, or all of them. */
export const markRead = async (
  transaction: Transaction,
  member: string,
  comments: readonly string[] | null,
  at: Date,
): Promise<void> => {
  await transaction.query(READ, [member, at, comments])
}
