import type { Transaction } from '../../infra/postgres/port.ts'
import { signBits } from '../../infra/vector-index/sign-bits.ts'
import { toVector } from '../../infra/vectors.ts'
import type { SignalId, ThemeId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Neighbours } from '../neighbours/neighbours.ts'
import { SAYS_NOTHING } from '../signals/says-nothing.ts'
import { vectorsOf } from './looked-at.ts'
import { READ_CHARACTERS } from './passages.ts'
import { directionOf, pullOf } from './pull.ts'
import { type MemberRow, quoted, type StoredMember, withParts } from './read-themes.ts'

/** Offered signals, nearest signals that are compared for them, and examples that they are compared with. */
const OFFERED = 30
const COMPARED = 400
const EXAMPLES = 200

const RUN = `
  select mean, shared_passages from theme_runs where workspace_id = $1 and model = $2 and mean is not null`

interface RunRow {
  readonly mean: readonly number[]
  readonly shared_passages: readonly number[]
}

// Without confirmed signals, the surest members are the examples.
const EXAMPLES_OF = `
  with answer as materialized (
    select distinct on (signal_id) signal_id, is_member, answered_at from theme_answers
    where theme_id in (${withParts('$1')}) order by signal_id, answered_at desc, is_member desc, theme_id
  )
  (select signal_id, is_member from answer where is_member order by answered_at desc, signal_id limit ${EXAMPLES})
  union all
  (select signal_id, is_member from answer where not is_member order by answered_at desc, signal_id limit ${EXAMPLES})
  union all
  (select signal_id, true from theme_members
    where theme_id in (${withParts('$1')}) and not exists (select from answer where is_member)
      and not exists (select from answer where answer.signal_id = theme_members.signal_id)
    order by likeness desc, signal_id limit ${EXAMPLES})`

// Leaves out members, answered signals, and signals that were confirmed for another theme.
const LIKELY = `
  select signals.id as signal_id, number, left(text, ${READ_CHARACTERS}) as text, state, classification, occurred_at, language,
    quote_start, quote_length, likeness, false as is_confirmed, (
      select min(claims.number) from claim_evidence
        join claims on claims.id = claim_id and merged_into is null and claims.state <> 'dismissed'
      where claim_evidence.signal_id = signals.id
    ) as claim, (
      select number from themes left join theme_settings on theme_id = id
      where id = quote.whole_id and ended_at is null and coalesce(standing, 'listed') in ('listed', 'pinned')
        and not exists (
          select from theme_answers
          where theme_answers.theme_id = id and theme_answers.signal_id = signals.id and not is_member)
    ) as in_theme
  from unnest($3::uuid[]) as near (id)
    cross join lateral (
      select 1 - ((embedding - $4::vector(1024)) <=> $5::vector(1024)) as likeness
      from signal_vectors where signal_vectors.signal_id = near.id and model = $2 offset 0
    ) as compared
    join signals on signals.id = near.id and state <> 'dismissed'
    left join lateral (
      select language, quote_start, quote_length, coalesce(part_of_id, theme_id) as whole_id
      from theme_members left join theme_settings using (theme_id) where theme_members.signal_id = near.id limit 1
    ) as quote on true
  where not exists (select from theme_members where theme_id in (${withParts('$1')}) and theme_members.signal_id = near.id)
    and not exists (
      select from theme_answers where theme_answers.signal_id = near.id and (theme_id in (${withParts('$1')}) or is_member))
    and not ${SAYS_NOTHING}
  order by likeness desc, number limit ${OFFERED}`

interface Of {
  readonly workspaceId: WorkspaceId
  readonly themeId: ThemeId
  /** Vectors of other models are not compared. */
  readonly model: string
}

/**
 * Signals of the whole workspace that likely belong to a theme, surest first, by the answers up to now. None before
 * themes were computed with the model.
 */
export const likelyMembers = async (
  transaction: Transaction,
  neighbours: Neighbours,
  { workspaceId, themeId, model }: Of,
): Promise<readonly MemberRow[]> => {
  const [run] = await transaction.query<RunRow>(RUN, [workspaceId, model])
  const examples = await transaction.query<{ signal_id: SignalId; is_member: boolean }>(EXAMPLES_OF, [themeId])
  const ids = examples.map(({ signal_id }) => signal_id)
  const vectors = await vectorsOf(transaction, ids, model)
  const vectorsBy = (isMember: boolean): readonly Float32Array[] =>
    examples.flatMap(({ signal_id, is_member }) =>
      is_member === isMember ? (vectors.get(signal_id)?.vector ?? []) : [],
    )
  const confirmed = vectorsBy(true)
  const [first] = confirmed
  if (run === undefined || first === undefined) return []
  const directionsOf = (of: readonly Float32Array[]) => of.map(vector => directionOf(vector, run.mean))
  const pull = pullOf(directionsOf(confirmed), directionsOf(vectorsBy(false)))
  const middle = first.map((_, place) => confirmed.reduce((sum, vector) => sum + (vector[place] ?? 0), 0))
  const space = { workspaceId, model }
  // A space that is still being read in the background is searched as far as it is in memory.
  if (neighbours.isWhole(space)) await neighbours.refresh(transaction, [space])
  // The index also has the earlier vector of an edited signal until it is built again.
  const near = new Set(neighbours.nearest(space, signBits(middle), COMPARED).map(({ signalId }) => signalId))
  neighbours.forgetOldest()
  const values = [themeId, model, [...near], toVector(run.mean), toVector(pull)]
  const rows = await transaction.query<StoredMember>(LIKELY, values)
  const shared = new Set(run.shared_passages)
  return rows.map(row => quoted(row, shared))
}
