import type { FoundNumber } from '../numbers.ts'
import { type Asked, type Rule, rule } from '../rules.ts'
import { actorOf, type Said, signalsOf, standingBehind, type Truth, weightOf } from '../truth.ts'
import { claimsBehind, priority } from './behind.ts'

/** What an actor whom an explanation names said behind the Solution that it explains. */
const saidByTerm = (truth: Truth, number: FoundNumber): readonly Said[] | null => {
  const claims = claimsBehind(truth, number)
  const term = number.owners.find(owner => owner.actor_name !== undefined)
  if (claims === null || term === undefined) return null
  const behind = standingBehind(truth, claims)
  const one = behind.find(
    ({ actor, actorName, source }) => actorName === term.actor_name && (actor !== null || source === term.source),
  )
  return one === undefined ? [] : behind.filter(said => actorOf(said) === actorOf(one))
}

/** Of these, what says the Signal that a share is of: itself, and repeats of it. */
const ofShare = (truth: Truth, said: readonly Said[], { owners: [share] }: FoundNumber): readonly Said[] => {
  const signal = signalsOf(truth).find(({ reference }) => reference === share.signal)
  return said.filter(one => one === signal || (one.fate === 'repeat' && one.original === signal))
}

const termOf = (said: readonly Said[], at: number): number => Math.log(1 + weightOf(said, at))

type Part = (said: readonly Said[], total: number, asked: Asked, number: FoundNumber) => number

const ofTerm =
  (part: Part) =>
  (truth: Truth, asked: Asked, number: FoundNumber): number | null => {
    const said = saidByTerm(truth, number)
    const total = priority(truth, asked, number)
    return said === null || total === null ? null : part(said, total, asked, number)
  }

const shareOf: Part = (said, total, { at, truth }, number) =>
  (weightOf(ofShare(truth, said, number), at) / weightOf(said, at)) * (termOf(said, at) / total)

const TERMS = '^explain_priority\\.items\\[\\]|explanation\\.terms\\[\\]'

/** Why a Solution stands where it does: what each actor adds, and each of their signals. */
export const EXPLANATION_RULES: readonly Rule[] = [
  rule(
    new RegExp(`(${TERMS})\\.signals\\[\\]\\.signal_count$`),
    ofTerm((said, _, { truth }, number) => ofShare(truth, said, number).length),
  ),
  rule(
    new RegExp(`(${TERMS})\\.signals\\[\\]\\.weight$`),
    ofTerm((said, _, { truth, at }, number) => weightOf(ofShare(truth, said, number), at)),
  ),
  rule(new RegExp(`(${TERMS})\\.signals\\[\\]\\.share$`), ofTerm(shareOf)),
  rule(
    new RegExp(`(${TERMS})\\.weight$`),
    ofTerm((said, _, { at }) => weightOf(said, at)),
  ),
  rule(
    new RegExp(`(${TERMS})\\.term$`),
    ofTerm((said, _, { at }) => termOf(said, at)),
  ),
  rule(
    new RegExp(`(${TERMS})\\.share$`),
    ofTerm((said, total, { at }) => termOf(said, at) / total),
  ),
]
