import type { Transaction } from '../../infra/postgres/port.ts'
import { type CommentId, newId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { type Author, authorValues, type Decider } from '../decisions/log-decision.ts'
import { type Person, personIn } from '../members/people.ts'

/** Kinds of objects that can have comments. */
export const COMMENTED = ['signal', 'claim', 'solution'] as const
type Commented = (typeof COMMENTED)[number]

export interface CommentAbout {
  readonly kind: Commented
  readonly id: string
}

/** A text by a member, or by an agent with the member's key, about a signal, a claim or a Solution. */
export interface Comment extends Author {
  readonly id: CommentId
  readonly kind: Commented
  readonly about_id: string
  /** Number of the object. */
  readonly number: number
  readonly title: string
  readonly text: string
  readonly author_id: string
  readonly written_at: Date
  readonly edited_at: Date | null
  /** Mentioned members. */
  readonly mentions: readonly Person[]
}

const COLUMN: Readonly<Record<Commented, string>> = { signal: 'signal_id', claim: 'claim_id', solution: 'solution_id' }

const SELECT = `
  select comments.id, comments.text, author_id, author_name, key_label, comments.written_at, edited_at,
    case when comments.signal_id is not null then 'signal' when comments.claim_id is not null then 'claim' else 'solution' end as kind,
    coalesce(comments.signal_id, comments.claim_id, comments.solution_id) as about_id,
    coalesce(signals.number, claims.number, solutions.number) as number,
    coalesce(left(signals.text, 200), claims.title, solutions.title) as title,
    coalesce((select jsonb_agg(person order by person ->> 'name')
      from mentions cross join lateral ${personIn('member_id')} as person
      where comment_id = comments.id and person is not null), '[]') as mentions
  from comments
    left join signals on signals.id = comments.signal_id
    left join claims on claims.id = comments.claim_id
    left join solutions on solutions.id = comments.solution_id`

/** A claim also has the comments on the claims that were merged into it. */
const WHERE: Readonly<Record<Commented, string>> = {
  signal: 'comments.signal_id = $1',
  claim: 'comments.claim_id in (select claim_lineage($1))',
  solution: 'comments.solution_id = $1',
}

/** A page of an object's comments, newest first. */
export const commentsPage = (
  transaction: Transaction,
  { kind, id }: CommentAbout,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Comment[]> =>
  transaction.query<Comment>(
    `${SELECT} where ${WHERE[kind]} order by comments.written_at desc, comments.id desc limit $2 offset $3`,
    [id, limit, offset],
  )

export const countComments = async (transaction: Transaction, { kind, id }: CommentAbout): Promise<number> => {
  const count = `select count(*)::integer as count from comments where ${WHERE[kind]}`
  return (await transaction.query<{ count: number }>(count, [id]))[0]?.count ?? 0
}

export const readComment = async (transaction: Transaction, id: string): Promise<Comment | undefined> =>
  (await readComments(transaction, [id]))[0]

/** The comments with these ids, unordered. */
export const readComments = (transaction: Transaction, ids: readonly string[]): Promise<Comment[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : transaction.query<Comment>(`${SELECT} where comments.id = any ($1::uuid[])`, [ids])

const HOLD = `select author_id from comments where id = $1 for update`

/** Locks a comment until the transaction ends, and answers its author; undefined without one. */
export const lockComment = async (transaction: Transaction, id: string): Promise<string | undefined> =>
  (await transaction.query<{ author_id: string }>(HOLD, [id]))[0]?.author_id

const insertAbout = (kind: Commented): string => `
  insert into comments (id, workspace_id, ${COLUMN[kind]}, text, author_id, author_name, key_label, written_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`

export const insertComment = async (
  transaction: Transaction,
  by: Decider,
  { about, text, at }: { readonly about: CommentAbout; readonly text: string; readonly at: Date },
): Promise<CommentId> => {
  const id = newId<CommentId>()
  await transaction.query(insertAbout(about.kind), [id, by.workspaceId, about.id, text, ...authorValues(by), at])
  return id
}

const EDIT = `update comments set text = $2, edited_at = $3 where id = $1`

export const editComment = async (transaction: Transaction, id: string, text: string, at: Date): Promise<void> => {
  await transaction.query(EDIT, [id, text, at])
}

/** Mentions are deleted first, because rows that a foreign key deletes are in no change. */
const DELETE_MENTIONS = `delete from mentions where comment_id = $1`
const DELETE = `delete from comments where id = $1`

export const deleteComment = async (transaction: Transaction, id: string): Promise<void> => {
  await transaction.query(DELETE_MENTIONS, [id])
  await transaction.query(DELETE, [id])
}

const FORGET = `delete from mentions where comment_id = $1 and member_id <> all ($2::uuid[])`
const MENTION = `
  insert into mentions (workspace_id, comment_id, member_id, written_at)
  select $1, $2, member, $4 from unnest($3::uuid[]) as member
  on conflict (comment_id, member_id) do nothing`

/** Sets a comment's mentioned members. Members who were mentioned before keep their read mark. */
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

/** Unread mentions above this number are not counted. */
const MAX_COUNTED = 100

const COUNTS = `
  select
    (select count(*)::integer from mentions where member_id = $1) as count,
    (select count(*)::integer from (
      select from mentions where member_id = $1 and read_at is null limit ${MAX_COUNTED}) as waiting) as unread`

interface MentionCounts {
  readonly count: number
  readonly unread: number
}

export const countMentions = async (transaction: Transaction, member: string): Promise<MentionCounts> =>
  (await transaction.query<MentionCounts>(COUNTS, [member]))[0] ?? { count: 0, unread: 0 }

interface Mention {
  readonly comment_id: CommentId
  readonly read_at: Date | null
}

const PAGE = `
  select comment_id, read_at from mentions where member_id = $1
  order by comment_id desc limit $2 offset $3`

/** A page of the comments that mention a member, newest first. */
export const mentionsPage = (
  transaction: Transaction,
  member: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Mention[]> => transaction.query<Mention>(PAGE, [member, limit, offset])

const READ = `
  update mentions set read_at = $2
  where member_id = $1 and read_at is null and ($3::uuid[] is null or comment_id = any ($3))`

/** Marks these comments, or all, as read by the member. */
export const markRead = async (
  transaction: Transaction,
  member: string,
  comments: readonly string[] | null,
  at: Date,
): Promise<void> => {
  await transaction.query(READ, [member, at, comments])
}
