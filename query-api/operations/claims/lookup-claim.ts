import { Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { claimRow } from '../../../model/board/claims.ts'
import { mergedNumbers, solutionsOfClaim } from '../../../model/claims/claims.ts'
import { countEvidence } from '../../../model/claims/read-evidence.ts'
import { countWaitingProposals } from '../../../model/merges/proposal.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { strategyOfClaim } from '../../../model/strategy/links.ts'
import { reference, SOLUTION_STATES, STRATEGY_LAYERS } from '../../../schemas/domain/vocabulary.ts'
import { readOperation } from '../define.ts'
import { ClaimMerge, KeptApart, keptApartOf, mergesOf } from '../merges/claim-merges.ts'
import { ClaimShape, toClaim } from '../parts/claim-shape.ts'
import { decodeCursor, nextCursor } from '../parts/cursor.ts'
import { shortened } from '../parts/excerpt.ts'
import { cursor, DEFAULT_LIMIT, type Depth, depth, identifier, limit, oneOf, uuid } from '../parts/fields.ts'
import { Notes, notesOf } from '../parts/note-shape.ts'
import { throwDeleted } from '../parts/throw-deleted.ts'
import { ANSWER_TOKENS, estimateTokens, takeWithinBudget } from '../parts/token-budget.ts'
import { Evidence, evidencePage } from './claim-evidence.ts'

const Named = Type.Object({ id: uuid, reference: Type.String(), title: Type.String() })

const solutionsOf = async (transaction: Transaction, claimId: string, characters: number) => {
  const rows = await solutionsOfClaim(transaction, claimId)
  return rows.map(({ number, title, ...rest }) => ({
    ...rest,
    title: shortened(title, characters),
    reference: reference('solution', number),
  }))
}

interface Shown {
  readonly items: number
  readonly characters: number
  /** Of a title in a list. */
  readonly title: number
  /** What each list beside the evidence may take. */
  readonly listTokens: number
}

const SHOWN: Readonly<Record<Depth, Shown>> = {
  summary: { items: 0, characters: 0, title: 60, listTokens: 100 },
  standard: { items: 5, characters: 280, title: 300, listTokens: 1000 },
  full: { items: DEFAULT_LIMIT, characters: 2000, title: 300, listTokens: 1000 },
}

export const lookupClaim = readOperation({
  name: 'lookup_claim',
  title: 'A claim with its evidence',
  summary:
    'Answers one claim (a problem or an Opportunity) by UUID, reference (CLM-3) or exact title: how much evidence is behind it, which Solutions answer it, and from depth standard on the signals, each with who or what attached it and why, and what was merged into it or is kept apart from it. The reference of a merged claim answers the claim that it lives on in.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({ id: identifier, depth, limit, cursor }),
  output: Type.Object({
    ...ClaimShape.properties,
    merged_references: Type.Array(Type.String(), { description: 'References of claims merged into this one.' }),
    waiting_proposals: Type.Integer({ description: 'Merges proposed and undecided; see mode proposals.' }),
    merges: Type.Array(ClaimMerge, {
      description:
        'The newest 20 merges into it, each with why and which candidates lost; none with depth summary. service_decide mode triage, action undo, takes one back.',
    }),
    kept_apart: Type.Array(KeptApart, {
      description: 'Up to 20 claims that it is never merged with, the last refused first; none with depth summary.',
    }),
    answering_solutions: Type.Array(Type.Object({ ...Named.properties, state: oneOf(SOLUTION_STATES) }), {
      description: 'The first that fit; solutions says how many there are.',
    }),
    notes: Notes,
    strategy: Type.Array(Type.Object({ id: uuid, layer: oneOf(STRATEGY_LAYERS), title: Type.String() }), {
      description: 'What it is linked with; see service_orient mode strategy.',
    }),
    evidence: Type.Object({
      count: Type.Integer({ description: 'Signals in all, dismissed ones too, repeats not counted.' }),
      items: Type.Array(Evidence, { description: 'Newest first; none with depth summary.' }),
    }),
  }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const chosen = input.depth ?? 'standard'
      const position = decodeCursor('claim_evidence', input.cursor, services.now())
      const { id } = await resolveOne(transaction, 'claim', input.id)
      const row = (await claimRow(transaction, position.at, id)) ?? throwDeleted('claim')
      const count = await countEvidence(transaction, id)
      const { items: usual, characters, title, listTokens } = SHOWN[chosen]
      const listed = <Item>(items: readonly Item[]) => takeWithinBudget(items, listTokens)
      const about = {
        ...toClaim(row, chosen === 'full'),
        merged_references: listed((await mergedNumbers(transaction, id)).map(number => reference('claim', number))),
        waiting_proposals: await countWaitingProposals(transaction, id),
        merges: chosen === 'summary' ? [] : listed(await mergesOf(transaction, id)),
        kept_apart: chosen === 'summary' ? [] : listed(await keptApartOf(transaction, id)),
        answering_solutions: listed(await solutionsOf(transaction, id, title)),
        notes: await notesOf(transaction, { kind: 'claim', id }, chosen),
        strategy: listed(await strategyOfClaim(transaction, id)),
      }
      const wanted = chosen === 'summary' ? 0 : (input.limit ?? usual)
      const page = { limit: wanted, offset: position.offset, characters }
      const left = ANSWER_TOKENS - estimateTokens(about)
      const items = wanted === 0 ? [] : takeWithinBudget(await evidencePage(transaction, id, page), left)
      return {
        data: { ...about, evidence: { count, items } },
        nextCursor: nextCursor('claim_evidence', position, items.length, count),
      }
    }),
})
