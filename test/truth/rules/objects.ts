import type { FoundNumber, Json } from '../numbers.ts'
import { type Asked, type Rule, restOf, rule } from '../rules.ts'
import {
  actorsOf,
  livingClaims,
  priorityOf,
  repeatsOf,
  type Said,
  signalsOf,
  standingBehind,
  type TrueClaim,
  type TrueSolution,
  type Truth,
} from '../truth.ts'
import { NODE } from '../world.ts'
import { claimsBehind, nameOf, ofEvidence, priority, solutionOf } from './behind.ts'

const score = (truth: Truth, asked: Asked, number: FoundNumber): number | null => {
  const [boost, evidence] = [solutionOf(truth, number)?.boost, priority(truth, asked, number)]
  return boost === undefined || evidence === null ? null : boost * evidence
}

const saidOf = (truth: Truth, number: FoundNumber): Said | undefined =>
  signalsOf(truth).find(({ reference }) => reference === nameOf(number))

const solutionsOf = ({ solutions }: Truth, claim: TrueClaim): number =>
  [...solutions.values()].filter(({ claims }) => [...claims].some(one => (one.mergedInto ?? one) === claim)).length

/** Of the claims of a kind: those that no other group of the answer has. */
const ofKind =
  (field: 'claims' | 'unanswered', isCounted: (truth: Truth, claim: TrueClaim) => boolean) =>
  (truth: Truth, { data }: Asked, { owners: [group] }: FoundNumber): number => {
    const kindOf = (claim: TrueClaim) => (claim.kind === 'idea' ? 'opportunity' : claim.kind)
    const all = livingClaims(truth).filter(claim => kindOf(claim) === group.kind && isCounted(truth, claim))
    const others = data.groups.filter((one: Json) => one !== group && one.kind === group.kind)
    return restOf(
      all.length,
      others.map((one: Json) => one[field]),
    )
  }

/** By rank where there is one, then by score: the lowest is first. */
const orderOf = (solution: TrueSolution, truth: Truth, at: number): number => {
  if (solution.rank !== null) return solution.rank - 1e9
  const claims = [...new Set([...solution.claims].map(one => one.mergedInto ?? one))]
  return -solution.boost * priorityOf(standingBehind(truth, claims), at)
}

/** What every answer says of a claim, a Solution or a Signal, wherever it names one. */
export const OBJECT_RULES: readonly Rule[] = [
  rule(/occurrences$/, (truth, _, number) => {
    const said = saidOf(truth, number)
    return said === undefined ? null : repeatsOf(truth, said).length
  }),
  rule(
    /^analyze_claims\.groups\[\]\.claims$/,
    ofKind('claims', () => true),
  ),
  rule(
    /^analyze_claims\.groups\[\]\.unanswered$/,
    ofKind('unanswered', (truth, claim) => solutionsOf(truth, claim) === 0),
  ),
  rule(
    /^lookup_claim\.evidence\.count$/,
    (truth, _, number) => truth.claims.get(nameOf(number))?.evidence.size ?? null,
  ),
  rule(/^lookup_context\.claims\.count$/, (truth, _, number) => claimsBehind(truth, number)?.length ?? null),
  rule(/^lookup_solution\.accounts\[\]\.signals$/, (truth, _, number) => {
    const claims = claimsBehind(truth, number)
    const { account } = number.owners[0]
    return claims === null ? null : standingBehind(truth, claims).filter(one => one.account === account).length
  }),
  rule(/^lookup_context\.decisions\.count$/, (truth, _, number) => solutionOf(truth, number)?.decisions ?? null),
  rule(/board_position$/, (truth, { at, data }, number) => {
    const listed = data.items.flatMap(({ reference }: Json) => truth.solutions.get(reference) ?? [])
    const inOrder = listed.toSorted(
      (one: TrueSolution, other: TrueSolution) => orderOf(one, truth, at) - orderOf(other, truth, at),
    )
    return inOrder.findIndex(({ reference }: TrueSolution) => reference === nameOf(number)) + 1
  }),
  rule(/^lookup_context\.handoffs\.count$/, (truth, _, number) => solutionOf(truth, number)?.handoffs ?? null),
  rule(/^lookup_context\.notes\.count$/, (truth, _, number) => solutionOf(truth, number)?.notes ?? null),
  rule(/(lookup_context\.|lookup_solution\.)(proposed_handoffs|decisions\.metrics)$/, () => 0),
  rule(/^lookup_context\.metrics\.count$/, (truth, _, number) => {
    const claims = claimsBehind(truth, number) ?? []
    return standingBehind(truth, claims).some(({ node }) => node === NODE) ? 1 : 0
  }),

  rule(/^explain_priority\.count$|explanation\.actors$|said_by\.actors$/, ofEvidence(actorsOf)),
  rule(
    /said_by\.signals$/,
    ofEvidence(said => said.length),
  ),

  rule(/priority_boost$/, (truth, _, number) => solutionOf(truth, number)?.boost ?? null),
  rule(/manual_rank$/, (truth, _, number) => solutionOf(truth, number)?.rank ?? null),
  rule(/evidence_priority$/, priority),
  rule(/^(?!lookup_search|lookup_proposals|list_merge_groups)(?!.*\bnode\.score$)\w+\.(.*\.)?score$/, score),
  rule(/^(?!reset_sandbox|list_merge_groups|lookup_proposals)\w+\.(.*\.)?actors$/, ofEvidence(actorsOf)),
  rule(/^(?!reset_sandbox)\w+\.(.*\.)?claims$/, (truth, _, number) => claimsBehind(truth, number)?.length ?? null),
  rule(/^(?!reset_sandbox)\w+\.(.*\.)?solutions$/, (truth, _, number) => {
    const claim = truth.claims.get(nameOf(number))
    return claim === undefined ? null : solutionsOf(truth, claim)
  }),
  rule(
    /^(?!reset_sandbox|preview_|list_signals)\w+\.(.*(?<!snooze)\.)?signals$/,
    ofEvidence(said => said.length),
  ),
  rule(/^split_claim\.moved_signals$/, () => 1),
]
