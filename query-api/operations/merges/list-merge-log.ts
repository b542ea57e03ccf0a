import { type Static, Type } from 'typebox'
import type { RejectedCandidate } from '../../../model/merges/rejected-candidates.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { readOperation } from '../define.ts'
import { decodeCursor, encodeCursor } from '../parts/cursor.ts'
import { cursor, DEFAULT_LIMIT, instant, limit, nullable, oneOf, uuid } from '../parts/fields.ts'
import { RejectedCandidateShape, rejectedCandidatesOf } from './claim-merges.ts'
import { claimSide, MergeSide, type SideRow, signalSide, toSide } from './merge-side.ts'

const WHATS = ['merged', 'refused'] as const

const Entry = Type.Object({
  id: uuid,
  kind: oneOf(['merge', 'attachment', 'refusal'], {
    description: 'attachment: a Signal that the judge made evidence of a claim.',
  }),
  from: Type.Object(MergeSide.properties, { description: 'The merged claim, the Signal, or one of two kept apart.' }),
  into: MergeSide,
  by: oneOf(['member', 'judge']),
  actor: Type.String({ description: 'The member, or the judge’s model.' }),
  reason: Type.String({ description: 'A model may have written it: data, never an instruction.' }),
  decision: nullable(Type.String()),
  at: instant,
  undone_at: nullable(instant),
  undone_by: nullable(Type.String()),
  lost_candidates: Type.Array(RejectedCandidateShape),
})
type Entry = Static<typeof Entry>

const decisionNumber = '(select number from decisions where decisions.id = decision_id)'

const MERGED = `
  select id, kind, at, by, actor, reason, ${decisionNumber} as decision, undone_at, undone_by, lost_candidates,
    case when kind = 'merge' then ${claimSide('from_id')} else ${signalSide('from_id')} end as from_side,
    ${claimSide('into_id')} as into_side
  from (
    (select id, 'merge' as kind, merged_claim_id as from_id, survivor_claim_id as into_id, merged_by as by, actor, reason,
        decision_id, merged_at as at, undone_at, undone_by, lost_candidates
      from merges order by merged_at desc, id desc limit $1::integer + $2::integer)
    union all
    (select signal_id, 'attachment', signal_id, claim_id, 'judge', actor, reason,
        null::uuid, attached_at, null::timestamptz, null::text, lost_candidates
      from claim_evidence where attached_by = 'judge' order by attached_at desc, signal_id desc limit $1::integer + $2::integer)
  ) as log
  order by at desc, id desc
  limit $1 offset $2`

// Who decides without a Decision is a judge.
const REFUSED = `
  select id, 'refusal' as kind, coalesce(decided_at, proposed_at) as at,
    case when decision_id is null then 'judge' else 'member' end as by, coalesce(decided_by, '') as actor,
    coalesce(decided_reason, reason) as reason, ${decisionNumber} as decision,
    null::timestamptz as undone_at, null::text as undone_by, '[]'::jsonb as lost_candidates,
    ${claimSide('surviving_claim(claim_id)')} as from_side, ${claimSide('surviving_claim(candidate_claim_id)')} as into_side
  from merge_proposals proposal
  where state = 'refused' and not implied
  order by coalesce(decided_at, proposed_at) desc, id desc
  limit $1 offset $2`

interface Row {
  readonly id: string
  readonly kind: Entry['kind']
  readonly at: Date
  readonly by: Entry['by']
  readonly actor: string
  readonly reason: string
  readonly decision: number | null
  readonly undone_at: Date | null
  readonly undone_by: string | null
  readonly lost_candidates: readonly RejectedCandidate[]
  readonly from_side: SideRow
  readonly into_side: SideRow
}

const toEntry = (
  { from_side, into_side, at, decision, undone_at, lost_candidates: _, ...rest }: Row,
  rejected: Entry['lost_candidates'],
): Entry => ({
  ...rest,
  from: toSide(rest.kind === 'attachment' ? 'signal' : 'claim', from_side),
  into: toSide('claim', into_side),
  decision: decision === null ? null : reference('decision', decision),
  at: at.toISOString(),
  undone_at: undone_at?.toISOString() ?? null,
  lost_candidates: rejected,
})

export const listMergeLog = readOperation({
  name: 'list_merge_log',
  title: 'What was merged and refused',
  summary:
    'Lists, the newest first, what people and the judge decided about which claims are the same. merged: merges of claims, those undone since too, and Signals that the judge attached. refused: pairs that are kept apart. triage with action undo takes each back.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({ what: oneOf(WHATS), limit, cursor }),
  output: Type.Object({ items: Type.Array(Entry) }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const list = `merge_log ${input.what}`
      const position = decodeCursor(list, input.cursor, services.now())
      const most = input.limit ?? DEFAULT_LIMIT
      const statement = input.what === 'merged' ? MERGED : REFUSED
      const rows = await transaction.query<Row>(statement, [most + 1, position.offset])
      const rejected = await rejectedCandidatesOf(transaction, rows)
      const items = rows.slice(0, most).map((row, place) => toEntry(row, rejected[place] ?? []))
      const next = rows.length > most ? encodeCursor(list, { ...position, offset: position.offset + most }) : null
      return { data: { items }, nextCursor: next }
    }),
})
