import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId, TransferId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { OfErasure } from './erasures.ts'

const FIND = `
  with page as materialized (
    select signal_id from imported_rows
    where workspace_id = $1 and transfer_id = $3 and ($4::uuid is null or signal_id > $4) order by signal_id limit $5
  ), added as (
    insert into erasure_items (workspace_id, erasure_id, signal_id) select $1, $2, signal_id from page
    on conflict do nothing
  )
  select signal_id from page order by signal_id`

/** Stores the next rows of an import as items to erase, also those that are still in the pipeline. */
export const findImported = async (
  transaction: Transaction,
  { workspaceId, erasureId }: OfErasure,
  transferId: TransferId,
  after: string | null,
  most: number,
): Promise<readonly SignalId[]> => {
  const values = [workspaceId, erasureId, transferId, after, most]
  return (await transaction.query<{ signal_id: SignalId }>(FIND, values)).map(({ signal_id }) => signal_id)
}

const BUILT = `
  with taken as materialized (
    select signal_id as id from imported_rows where workspace_id = $1 and transfer_id = $2
  ), stored as materialized (
    select signals.id, state from taken join signals using (id)
  ), of_others as materialized (
    select distinct occurrences.signal_id as id from occurrences join stored on stored.id = occurrences.signal_id
    where not exists (select from taken where taken.id = occurrences.id)
  ), shared as materialized (
    select claim_id as id, bool_and(stored.id is not null and of_others.id is null) as is_emptied
    from claim_evidence left join stored on stored.id = signal_id left join of_others on of_others.id = signal_id
    where claim_id in (select claim_id from claim_evidence join stored on stored.id = signal_id)
    group by claim_id
  ), about as materialized (
    select id from stored union all select id from shared where is_emptied
  ), solved as materialized (
    select distinct solution_id as id from solution_evidence join stored on stored.id = signal_id
    where solution_evidence.workspace_id = $1
  ), spoken_of as materialized (
    select themes.id, themes.number, coalesce(theme_settings.name, themes.name) as name
    from themes left join theme_settings on theme_id = themes.id
    where themes.workspace_id = $1 and ended_at is null
      and (theme_settings.name is not null or standing <> 'listed'
        or exists (select from theme_answers where theme_answers.theme_id = themes.id and is_member))
      and (exists (select from theme_members join stored on stored.id = signal_id where theme_members.theme_id = themes.id)
        or exists (select from theme_answers join stored on stored.id = signal_id where theme_answers.theme_id = themes.id))
  ), placed_at as materialized (
    select distinct map_nodes.id, map_nodes.name from node_lessons join stored on stored.id = signal_id
      join map_nodes on map_nodes.id = node_lessons.node_id
    where node_lessons.workspace_id = $1
  )
  select
    (select count(*)::integer from stored) as signals,
    (select count(*)::integer from taken join occurrences using (id) where reason <> 'member') as repeats,
    (select count(*)::integer from stored where state <> 'triage') as triaged,
    (select count(*)::integer from of_others) as repeats_of_others,
    (select count(*)::integer from shared where not is_emptied) as claims_kept,
    (select count(*)::integer from shared where is_emptied) as claims_emptied,
    (select count(distinct decision_id)::integer from decision_objects
      where workspace_id = $1 and (object_id in (select id from about) or object_id in (select id from solved))) as decisions,
    (select count(*)::integer from comments
      where workspace_id = $1 and (signal_id in (select id from about) or claim_id in (select id from about))) as comments,
    (select count(*)::integer from spoken_of) as themes,
    (select coalesce(jsonb_agg(jsonb_build_object('number', number, 'name', name) order by number), '[]') from (
      select * from spoken_of order by number limit $3) as first_of) as named_themes,
    (select count(*)::integer from placed_at) as nodes,
    (select coalesce(jsonb_agg(name order by name), '[]') from (
      select name from placed_at order by name limit $3) as first_of) as named_nodes,
    (select count(*)::integer from solved) as solutions,
    (select coalesce(jsonb_agg(named order by number), '[]') from (
      select number, title from solutions join solved using (id) order by number limit $3) as named) as named`

/** Rows that go with an import, and people's work on them. */
interface BuiltOnImport {
  readonly signals: number
  readonly repeats: number
  /** Signals that somebody has decided on. */
  readonly triaged: number
  /** Signals with other senders' repeats. One repeat takes the place of each. */
  readonly repeats_of_others: number
  readonly claims_kept: number
  readonly claims_emptied: number
  /** Decisions about these signals, about claims that lose all evidence, and about the Solutions. */
  readonly decisions: number
  /** Comments on these signals and on claims that lose all evidence. */
  readonly comments: number
  /** Themes that a person named, set aside or answered for. */
  readonly themes: number
  readonly named_themes: readonly { readonly number: number; readonly name: string }[]
  /** Map nodes to which people moved these signals. */
  readonly nodes: number
  readonly named_nodes: readonly string[]
  readonly solutions: number
  /** The first Solutions. */
  readonly named: readonly { readonly number: number; readonly title: string }[]
}

export const findBuiltOnImport = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  transferId: TransferId,
  mostNamed: number,
): Promise<BuiltOnImport> => {
  const [row] = await transaction.query<BuiltOnImport>(BUILT, [workspaceId, transferId, mostNamed])
  if (row === undefined) throw new Error('The statement answers a row.')
  return row
}
