import { Type } from 'typebox'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { readOperation } from '../define.ts'
import { decodeCursor, nextCursor } from '../parts/cursor.ts'
import { cursor, DEFAULT_LIMIT, instant, limit, nullable, uuid } from '../parts/fields.ts'

const ClaimSide = Type.Object({ id: uuid, reference: Type.String(), title: Type.String(), text: Type.String() })

interface Side {
  readonly id: string
  readonly number: number
  readonly title: string
  readonly text: string
}

interface ProposalRow {
  readonly id: string
  readonly score: number
  readonly similarity: number | null
  readonly reason: string
  readonly proposed_at: Date
  readonly claim: Side
  readonly candidate: Side
}

const STATEMENT_CHARACTERS = 280

const side = (alias: string): string =>
  `jsonb_build_object('id', ${alias}.id, 'number', ${alias}.number, 'title', ${alias}.title,
    'text', left(${alias}.statement, ${STATEMENT_CHARACTERS}))`

const WAITING = `
  select proposal.id, score, similarity, reason, proposed_at,
    ${side('claim')} as claim, ${side('candidate')} as candidate
  from merge_proposals proposal
    join claims claim on claim.id = proposal.claim_id
    join claims candidate on candidate.id = proposal.candidate_claim_id
  where proposal.state = 'waiting'
  order by proposed_at desc, proposal.id
  limit $1 offset $2`

const COUNT = `select count(*)::integer as count from merge_proposals where state = 'waiting'`

const toSide = ({ number, ...rest }: Side) => ({ ...rest, reference: reference('claim', number) })

export const lookupProposals = readOperation({
  name: 'lookup_proposals',
  title: 'Proposed merges of claims that wait',
  summary:
    'Lists pairs of claims that may be the same root problem and wait for somebody to decide, the newest first. Similarity only proposes: confirm or refuse with service_decide mode triage, action confirm_merge or refuse_merge. Decided ones leave the list, so read it from its beginning after deciding.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({ limit, cursor }),
  output: Type.Object({
    count: Type.Integer(),
    items: Type.Array(
      Type.Object({
        id: uuid,
        claim: ClaimSide,
        candidate: ClaimSide,
        score: Type.Number({ description: 'Fused rank; comparable within this list only.' }),
        similarity: nullable(Type.Number()),
        reason: Type.String(),
        proposed_at: instant,
      }),
    ),
  }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const position = decodeCursor('proposals', input.cursor, services.now())
      const [counted] = await transaction.query<{ count: number }>(COUNT)
      const count = counted?.count ?? 0
      const rows = await transaction.query<ProposalRow>(WAITING, [input.limit ?? DEFAULT_LIMIT, position.offset])
      const items = rows.map(row => ({
        ...row,
        claim: toSide(row.claim),
        candidate: toSide(row.candidate),
        proposed_at: row.proposed_at.toISOString(),
      }))
      return { data: { count, items }, nextCursor: nextCursor('proposals', position, items.length, count) }
    }),
})
