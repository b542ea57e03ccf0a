import type { Transaction } from '../../infra/postgres/port.ts'
import type { Fields } from '../../infra/text-index/port.ts'
import { READ_CHARACTERS } from '../../infra/text-index/text-index.ts'
import { titleLength } from '../../infra/word-index/terms.ts'
import type { SearchedType } from './searched.ts'

const MAX_DETAILS = 2000

/** Kinds in the index: those that are found, and repeats, whose words find their Signal. */
export type IndexedKind = SearchedType | 'repeat'

/** A position among a workspace's changes: behind a transaction's rows up to an id. */
export interface ChangePlace {
  readonly transaction: string
  readonly id: string
  readonly kind: string
}

export interface ChangedText extends ChangePlace {
  readonly kind: IndexedKind
  /** The Signal of a repeat; else the text's own id. */
  readonly shown: string
  /** Null for a text that was removed or is not searched. */
  readonly fields: Fields | null
  /** The parts of a mail beside its text; empty for others. */
  readonly cut: string
}

export interface ChangedPage {
  readonly texts: readonly ChangedText[]
  /** The oldest transaction that was open when the page was read. Older ones add nothing any more. */
  readonly oldest: string
}

/** Behind every change. */
export const NEWEST: ChangePlace = {
  transaction: String(2n ** 63n - 1n),
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  kind: '',
}

/** Behind every change before a transaction. */
export const before = (transaction: string): ChangePlace => ({
  transaction,
  id: '00000000-0000-0000-0000-000000000000',
  kind: '',
})

// Details of a signal: the event, the values of its metadata, and the path of its URL.
const DETAILS = (event: string) => `left(concat_ws(' ', ${event}, regexp_replace(source_url, '^[a-z]+://[^/]*', ''),
  (select string_agg(value, ' ') from jsonb_each_text(case jsonb_typeof(metadata) when 'object' then metadata else '{}' end))), ${MAX_DETAILS})`

const CUT = `left(concat_ws(E'\\n', cut_signature, cut_quoted, cut_footer), ${READ_CHARACTERS})`

const ROWS: Readonly<Record<IndexedKind, string>> = {
  signal: `select id as shown, null as title, text, actor_name as person, source, ${DETAILS('event')} as detail, ${CUT} as cut from signals`,
  // A repeat with its original's exact text has no words of its own.
  repeat: `select signal_id, null, case when reason = 'near_duplicate' then text end, actor_name, source, ${DETAILS('event')}, ${CUT} from occurrences`,
  claim: 'select id, title, statement, null, null, null, null from claims',
  solution: 'select id, title, summary, null, null, null, null from solutions',
  node: `select id, name, description || E'\\n' || array_to_string(examples, E'\\n'), null, null, null, null from map_nodes`,
  decision: 'select id, null, statement, made_by_name, null, null, null from decisions',
  living_doc: `select id, '', markdown, null, null, null, null from living_documents`,
  note: 'select id, null, text, author_name, null, null, null from knowledge_notes',
}
const FOUND: Readonly<Partial<Record<IndexedKind, string>>> = { claim: 'merged_into is null', living_doc: 'newest' }

const PAGE_OF = {
  /** Changes behind a place, oldest first. */
  after: `and (changed_in, id, kind) > ($2::xid8, $3::uuid, $4::text) order by changed_in, id, kind`,
  /** Changes before a place, of some kinds, newest first. */
  before: `and (changed_in, id, kind) < ($2::xid8, $3::uuid, $4::text) and kind = any ($6::text[])
    order by changed_in desc, id desc, kind desc`,
}

// Each part of the union reads its own kind. The oldest transaction comes from the statement's own snapshot, and is
// answered without rows, too: a later query could miss commits in between.
const READ_PAGE = (page: string) => `
  select changed.id, changed.kind, changed.changed_in::text as transaction, oldest, stored.shown, title, left(text, ${READ_CHARACTERS}) as text,
    person, source, detail, cut
  from (select pg_snapshot_xmin(pg_current_snapshot())::text as oldest) as open
  left join (
    select id, kind, changed_in, row_number() over () as place from (
      select id, kind, changed_in from search_entries where workspace_id = $1 ${page} limit $5
    ) as entries
  ) as changed on true
  left join lateral (
    ${Object.entries(ROWS)
      .map(
        ([kind, rows]) =>
          `(${rows} where changed.kind = '${kind}' and id = changed.id and ${FOUND[kind as IndexedKind] ?? 'true'} offset 0)`,
      )
      .join(' union all ')}
  ) as stored on true
  order by changed.place`
const READ_AFTER = READ_PAGE(PAGE_OF.after)
const READ_BEFORE = READ_PAGE(PAGE_OF.before)

interface Row {
  /** Null in the only row of an empty page. */
  readonly id: string | null
  readonly kind: IndexedKind
  readonly transaction: string
  readonly oldest: string
  readonly shown: string | null
  readonly title: string | null
  readonly text: string | null
  readonly person: string | null
  readonly source: string | null
  readonly detail: string | null
  readonly cut: string | null
}

/** The next texts of a workspace behind a place, in the order of changes. */
export const readChangedTexts = async (
  transaction: Transaction,
  workspaceId: string,
  after: ChangePlace,
  atMost: number,
): Promise<ChangedPage> => {
  const values = [workspaceId, after.transaction, after.id, after.kind, atMost]
  return pageOf(await transaction.query<Row>(READ_AFTER, values), after)
}

const COUNT = `select count(*)::int as count from search_entries where workspace_id = $1`

/** Number of a workspace's stored texts, also of those that are not searched. */
export const countTexts = async (transaction: Transaction, workspaceId: string): Promise<number> => {
  const [row] = await transaction.query<{ count: number }>(COUNT, [workspaceId])
  return row?.count ?? 0
}

/** Texts of some kinds before a place, newest first. */
export const readTextsBefore = async (
  transaction: Transaction,
  workspaceId: string,
  kinds: readonly IndexedKind[],
  place: ChangePlace,
  atMost: number,
): Promise<ChangedPage> => {
  const values = [workspaceId, place.transaction, place.id, place.kind, atMost, kinds]
  return pageOf(await transaction.query<Row>(READ_BEFORE, values), place)
}

const pageOf = (rows: readonly Row[], place: ChangePlace): ChangedPage => ({
  oldest: rows[0]?.oldest ?? place.transaction,
  texts: rows.flatMap(toText),
})

const toText = ({ id, kind, transaction, shown, ...row }: Row): readonly ChangedText[] => {
  if (id === null) return []
  const fields = shown === null ? null : fieldsOf(row)
  return [{ id, kind, transaction, shown: shown ?? id, fields, cut: row.cut ?? '' }]
}

/** A text without a title has its beginning as the title. */
const fieldsOf = ({
  title,
  text,
  person,
  source,
  detail,
}: Pick<Row, 'title' | 'text' | 'person' | 'source' | 'detail'>) => {
  const begins = title === null ? titleLength(text ?? '') : 0
  return {
    title: title ?? text?.slice(0, begins) ?? '',
    text: text?.slice(begins) ?? '',
    person: person ?? '',
    source: source ?? '',
    detail: detail ?? '',
  }
}
