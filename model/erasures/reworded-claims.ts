import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId } from '../../schemas/domain/ids.ts'
import { statementOf, titleOf, titlesOf } from '../claims/titles.ts'
import { passagesOf } from '../themes/passages.ts'
import { ERASED } from './words.ts'

/**
 * Every title that a text can have given a claim, whatever of it the workspace's texts shared at the time: the value of
 * a form's line is one without its label.
 */
export const everyTitleOf = (text: string): readonly string[] =>
  titlesOf(text, sentence => passagesOf(sentence).at(-1)?.text ?? '')

/** A text that claims may have their words from. */
export interface Reworded {
  readonly before: string
  /** The same signal's text now; null when the signal is erased. */
  readonly now: string | null
  /** Titles that claims had from the text of now, by claim. Other claims get its most telling sentence. */
  readonly titles?: Readonly<Record<string, string>>
}

/** A rewritten claim as it was before. */
interface RewrittenClaim {
  readonly id: ClaimId
  readonly title: string
  /** The text that gave it this title; null for another title. */
  readonly text: string | null
}

// A merged claim's evidence is the survivor's, and names the merged one as where it came through.
const CLAIM_WORDS = `
  select claims.id, title, statement, merged_into is null
      and not exists (select from claim_evidence where claim_id = claims.id) as is_bare,
    (select text from claim_evidence join signals on signals.id = signal_id
     where claim_id = surviving_claim(claims.id) and (merged_into is null or claims.id = any (origins))
     order by attached_at, signals.number limit 1) as said
  from claims where id = any ($1::uuid[]) order by id for update of claims`
const REWRITE = `
  update claims set title = rewritten.title, statement = rewritten.statement,
    state = case when is_bare then 'dismissed' else state end, version = version + 1, updated_at = now()
  from unnest($1::uuid[], $2::text[], $3::text[], $4::boolean[]) as rewritten (id, title, statement, is_bare)
  where claims.id = rewritten.id`

/** Nobody can compare a claim without a text. */
const DROP_PROPOSALS = `
  delete from merge_proposals where state in ('waiting', 'set_aside')
    and (claim_id = any ($1::uuid[]) or candidate_claim_id = any ($1::uuid[]))`

interface ClaimRow {
  readonly id: ClaimId
  readonly title: string
  readonly statement: string
  readonly is_bare: boolean
  /** Its oldest remaining evidence. */
  readonly said: string | null
}

/** Texts by the words that they can have given a claim. The first of equal texts wins. */
const byWords = (reworded: readonly Reworded[], wordsOf: (text: string) => readonly string[]) =>
  new Map(reworded.toReversed().flatMap(one => wordsOf(one.before).map(words => [words, one] as const)))

/**
 * Gives claims with the words of an edited signal the signal's words of now, and those with the words of an erased
 * signal the words of their oldest remaining evidence. A claim that an erasure left without evidence loses its text and
 * is dismissed. Texts that people wrote stay. Answers the rewritten claims.
 */
export const rewriteClaims = async (
  transaction: Transaction,
  claims: readonly ClaimId[],
  reworded: readonly Reworded[],
): Promise<readonly RewrittenClaim[]> => {
  const [titles, statements] = [byWords(reworded, everyTitleOf), byWords(reworded, text => [statementOf(text)])]
  const rows = await transaction.query<ClaimRow>(CLAIM_WORDS, [claims])
  const rewritten = rows.flatMap(claim => {
    const { id, said } = claim
    const [titled, stated] = [titles.get(claim.title), statements.get(claim.statement)]
    const text = titled?.now ?? said
    const title = titled === undefined ? claim.title : (titled.titles?.[id] ?? (titleOf(text ?? '') || ERASED))
    const statement = stated === undefined ? claim.statement : statementOf(stated.now ?? said ?? '')
    const isBare = claim.is_bare && reworded.every(({ now }) => now === null)
    const isSame = title === claim.title && statement === claim.statement && !isBare
    return isSame ? [] : [{ id, title, statement, isBare, before: claim.title, text: titled?.before ?? null }]
  })
  if (rewritten.length === 0) return []
  await transaction.query(REWRITE, [
    rewritten.map(({ id }) => id),
    rewritten.map(({ title }) => title),
    rewritten.map(({ statement }) => statement),
    rewritten.map(({ isBare }) => isBare),
  ])
  const bare = rewritten.filter(({ isBare }) => isBare).map(({ id }) => id)
  // Only an erasure leaves claims without evidence, and its role alone may delete their proposals.
  if (bare.length > 0) await transaction.query(DROP_PROPOSALS, [bare])
  return rewritten.map(({ id, before: title, text }) => ({ id, title, text }))
}
