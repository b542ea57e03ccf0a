import type { Transaction } from '../../infra/postgres/port.ts'
import { type NoteId, newId } from '../../schemas/domain/ids.ts'
import { type Author, authorValues, type Decider } from '../decisions/log-decision.ts'

/** Kinds of objects that can have notes. */
export const NOTE_COLUMNS = ['solution', 'claim', 'node'] as const
export type RecordedNote = (typeof NOTE_COLUMNS)[number]

/** A note that an agent saved. */
export interface Note extends Author {
  readonly id: NoteId
  readonly kind: RecordedNote
  /** Id of the object, and its number; nodes have none. */
  readonly about_id: string
  readonly number: number | null
  readonly text: string
  readonly saved_at: Date
  /** Number of all notes, unread ones included. */
  readonly in_all: number
}

const COLUMN: Readonly<Record<RecordedNote, string>> = { solution: 'solution_id', claim: 'claim_id', node: 'node_id' }

const insertAbout = (kind: RecordedNote): string => `
  insert into knowledge_notes (id, workspace_id, ${COLUMN[kind]}, text, author_id, author_name, key_label, saved_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`

export const saveNote = async (
  transaction: Transaction,
  by: Decider,
  note: {
    readonly about: { readonly kind: RecordedNote; readonly id: string }
    readonly text: string
    readonly at: Date
  },
): Promise<NoteId> => {
  const id = newId<NoteId>()
  const { about, text, at } = note
  const values = [id, by.workspaceId, about.id, text, ...authorValues(by), at]
  await transaction.query(insertAbout(about.kind), values)
  return id
}

/** A claim also has the notes of the claims that were merged into it. */
const WHERE: Readonly<Record<RecordedNote, string>> = {
  solution: 'solution_id = $1',
  claim: 'claim_id in (select claim_lineage($1))',
  node: 'node_id = $1',
}

const notesWhere = (condition: string): string => `
  select id, text, author_name, key_label, saved_at,
    case when solution_id is not null then 'solution' when claim_id is not null then 'claim' else 'node' end as kind,
    coalesce(solution_id, claim_id, node_id) as about_id,
    coalesce(
      (select number from solutions where solutions.id = solution_id),
      (select number from claims where claims.id = claim_id)) as number,
    count(*) over ()::integer as in_all
  from knowledge_notes
  where ${condition} order by saved_at desc, id desc limit $2`

/** The newest notes about one object. */
export const notesAbout = (transaction: Transaction, kind: RecordedNote, id: string, limit: number): Promise<Note[]> =>
  transaction.query<Note>(notesWhere(WHERE[kind]), [id, limit])

const OF_SOLUTION = notesWhere(`solution_id = $1 or node_id = any ($3::uuid[]) or claim_id in (
  select lineage
  from solution_claims cross join lateral claim_lineage(solution_claims.claim_id) as lineage
  where solution_claims.solution_id = $1)`)

/** The newest notes about a Solution, its claims and the given nodes. */
export const notesOfSolution = (
  transaction: Transaction,
  solutionId: string,
  nodeIds: readonly string[],
  limit: number,
): Promise<Note[]> => transaction.query<Note>(OF_SOLUTION, [solutionId, limit, nodeIds])
