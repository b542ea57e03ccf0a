import type { Transaction } from '../../infra/postgres/port.ts'
import { signBits } from '../../infra/vector-index/sign-bits.ts'
import { toVector } from '../../infra/vectors.ts'
import type { SignalId, ThemeId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Neighbours } from '../neighbours/neighbours.ts'
import { NOTHING } from './find-themes.ts'
import { vectorsOf } from './looked-at.ts'
import { MAX_QUOTE } from './names.ts'
import { directionOf, pullOf } from './pull.ts'
import { type MemberRow, quoted, type StoredMember } from './read-themes.ts'

/** How many are offered, how many of the nearest are compared for them, and by how many signals at most. */
const OFFERED = 30
const COMPARED = 400
const EXAMPLES = 200

const RUN = `select mean from theme_runs where workspace_id = $1 and model = $2 and mean is not null`

// Where nobody confirmed a signal yet, the surest members tell what it is.
const EXAMPLES_OF = `
  (select signal_id, is_member from theme_answers
    where theme_id = $1 and is_member order by answered_at desc, signal_id limit ${EXAMPLES})
  union all
  (select signal_id, is_member from theme_answers
    where theme_id = $1 and not is_member order by answered_at desc, signal_id limit ${EXAMPLES})
  union all
  (select signal_id, true from theme_members
    where theme_id = $1 and not exists (select from theme_answers where theme_id = $1 and is_member)
      and not exists (
        select from theme_answers
        where theme_answers.theme_id = theme_members.theme_id and theme_answers.signal_id = theme_members.signal_id
      )
    order by likeness desc, signal_id limit ${EXAMPLES})`

// What is in it, was answered, or was confirmed of another theme is not asked about.
const LIKELY = `
  select signals.id as signal_id, number, left(text, 4000) as text, state, classification, occurred_at, language,
    coalesce(quote_start, 0) as quote_start, coalesce(quote_length, ${MAX_QUOTE}) as quote_length,
    likeness, false as is_confirmed, (
      select min(claims.number) from claim_evidence
        join claims on claims.id = claim_id and merged_into is null and claims.state <> 'dismissed'
      where claim_evidence.signal_id = signals.id
    ) as claim
  from unnest($3::uuid[]) as near (id)
    cross join lateral (
      select 1 - ((embedding - $4::vector(1024)) <=> $5::vector(1024)) as likeness
      from signal_vectors where signal_vectors.signal_id = near.id and model = $2 offset 0
    ) as compared
    join signals on signals.id = near.id and state <> 'dismissed'
    left join lateral (
      select language, quote_start, quote_length from theme_members where theme_members.signal_id = near.id limit 1
    ) as quote on true
  where not exists (select from theme_members where theme_id = $1 and theme_members.signal_id = near.id)
    and not exists (
      select from theme_answers where theme_answers.signal_id = near.id and (theme_id = $1 or is_member))
    and not (classification = 'unclassified' and classification_confidence > ${NOTHING}
      and classification_version not like '%/unknown-language')
  order by likeness desc, number limit ${OFFERED}`

interface Of {
  readonly workspaceId: WorkspaceId
  readonly themeId: ThemeId
  /** The vectors of another are not compared. */
  readonly model: string
}

/**
 * The signals of the whole workspace that likely belong to a theme, too, the surest first: by what was confirmed and
 * refused until now. None before themes were found with the model.
 */
export const likelyMembers = async (
  transaction: Transaction,
  neighbours: Neighbours,
  { workspaceId, themeId, model }: Of,
): Promise<readonly MemberRow[]> => {
  const [run] = await transaction.query<{ mean: readonly number[] }>(RUN, [workspaceId, model])
  const examples = await transaction.query<{ signal_id: SignalId; is_member: boolean }>(EXAMPLES_OF, [themeId])
  const ids = examples.map(({ signal_id }) => signal_id)
  const vectors = await vectorsOf(transaction, ids, model)
  const vectorsBy = (isMember: boolean): readonly Float32Array[] =>
    examples.flatMap(({ signal_id, is_member }) => (is_member === isMember ? (vectors.get(signal_id) ?? []) : []))
  const confirmed = vectorsBy(true)
  const [first] = confirmed
  if (run === undefined || first === undefined) return []
  const directionsOf = (of: readonly Float32Array[]) => of.map(vector => directionOf(vector, run.mean))
  const pull = pullOf(directionsOf(confirmed), directionsOf(vectorsBy(false)))
  const middle = first.map((_, place) => confirmed.reduce((sum, vector) => sum + (vector[place] ?? 0), 0))
  const space = { workspaceId, model }
  // Until it is read, which is done beside the searches, those that are there are compared.
  if (neighbours.isWhole(space)) await neighbours.refresh(transaction, [space])
  // A signal that was edited is there with what it said before, too, until the index is made anew.
  const near = new Set(neighbours.nearest(space, signBits(middle), COMPARED).map(({ signalId }) => signalId))
  neighbours.forgetOldest()
  const values = [themeId, model, [...near], toVector(run.mean), toVector([...pull])]
  return (await transaction.query<StoredMember>(LIKELY, values)).map(quoted)
}
