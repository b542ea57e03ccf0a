import type { Transaction } from '../../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import {
  countSetAside,
  LEAST_CHANCE,
  type ProposalBar,
  readBars,
  setAsideUnlikely,
  storeShift,
} from '../proposal-bar.ts'
import { logistic, logit } from './chance.ts'

/**
 * Corrects the chances of a workspace's pairs by its people's decisions. A pair is in one of these states:
 * - `waiting`: its corrected chance is at least `LEAST_CHANCE`, or people asked for pairs that unlikely, and it is
 *   above the bar. People see it.
 * - `set_aside`: it is below either limit. New signals or a request of people can make it wait.
 * - `confirmed`, `refused`: people or a judge have settled it.
 *
 * Each settlement by people changes the workspace's shift, by which all of its chances move. Waiting pairs that are too
 * unlikely afterwards are set aside; `proposal-bar.ts` lets pairs wait again.
 */

/** The chance with the workspace's shift. */
export const corrected = (chance: number, shift: number): number => logistic(logit(chance) + shift)

/** True when a pair of this chance waits for people, if the bar leaves room. Chances are stored in single precision. */
export const isWorthShowing = (chance: number, bar: ProposalBar | undefined): boolean =>
  corrected(chance, bar?.shift ?? 0) >= LEAST_CHANCE || Math.fround(chance) > Math.fround(bar?.asked_to ?? 1)

interface SettledChance {
  readonly chance: number
  readonly same: boolean
  /** 1 for a pair that was decided alone; pairs of one decision share 1. */
  readonly weight: number
}

/** Standard deviation of the shift before there are decisions. */
const EXPECTED_SHIFT = 1
/** Each halving halves the range; after 60 a double is exact. */
const HALVINGS = 60

/**
 * The shift of all chances' log odds that fits people's decisions best: the most likely one, when shifts are normally
 * distributed around 0. A few decisions move it little. Found by bisection, because the likelihood's slope falls
 * everywhere, while Newton steps diverge for chances near 0 or 1.
 */
export const shiftOf = (settled: readonly SettledChance[]): number => {
  // Bounds: each decision pulls by less than 1, and the normal distribution pulls back by the shift over its variance.
  let high = settled.reduce((sum, { weight }) => sum + weight, 0) * EXPECTED_SHIFT ** 2
  let low = -high
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const shift = (low + high) / 2
    const slope = settled.reduce(
      (sum, { chance, same, weight }) => sum + weight * ((same ? 1 : 0) - corrected(chance, shift)),
      -shift / EXPECTED_SHIFT ** 2,
    )
    if (slope > 0) low = shift
    else high = shift
  }
  return (low + high) / 2
}

// A repeat that a person took out is not the same as its original, so a proposal between their claims counts as
// refused. The look-up starts at the few such repeats: from the claims or the pairs it takes seconds.
const LAST_DECIDED = `
  (select chance, state = 'confirmed' as same, 1 / count(*) over (partition by decision_id)::float8 as weight from merge_proposals
   where workspace_id = $1 and state in ('confirmed', 'refused') and not implied and chance is not null and decision_id is not null
   order by decided_at desc limit 500)
  union all
  (select proposal.chance, false, 1
   from (
     select id, original_id from taken_out_repeats
     where workspace_id = $1 and in_force order by taken_out_at desc limit 500
   ) as taken cross join lateral (
     select claim_id from claim_evidence where workspace_id = $1 and signal_id = taken.id offset 0
   ) as own cross join lateral (
     select claim_id from claim_evidence where workspace_id = $1 and signal_id = taken.original_id offset 0
   ) as original cross join lateral (
     select chance, state, implied from merge_proposals
     where workspace_id = $1 and least(claim_id, candidate_claim_id) = least(own.claim_id, original.claim_id)
       and greatest(claim_id, candidate_claim_id) = greatest(own.claim_id, original.claim_id)
     offset 0
   ) as proposal
   where chance is not null and (state in ('waiting', 'set_aside') or implied))`

/**
 * Fits the shift to the last 500 pairs that people confirmed or refused and as many repeats that they took out, then
 * sets aside pairs that are too unlikely now. Call after each such decision.
 */
export const learnFromDecisions = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<void> => {
  const settled = await transaction.query<SettledChance>(LAST_DECIDED, [workspaceId])
  await storeShift(transaction, workspaceId, { shift: shiftOf(settled), learnedFrom: settled.length })
  await setAsideUnlikely(transaction, workspaceId)
}

/** The bar as the people of a workspace see it. */
interface ShownBar {
  /** Corrected chance from which pairs are proposed. */
  readonly chance: number
  /** True when there are pairs below the bar. */
  readonly raised: boolean
  /** Number of pairs below the bar. */
  readonly set_aside: number
  /** Number of decisions in the shift. */
  readonly learned_from: number
}

const NO_BAR = { bar: 0, asked_to: 1, shift: 0 }

export const readShownBar = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<ShownBar> => {
  const stored = (await readBars(transaction, [workspaceId])).get(workspaceId)
  const { bar, asked_to, shift } = stored ?? NO_BAR
  const chance = Math.max(corrected(bar, shift), Math.min(LEAST_CHANCE, corrected(asked_to, shift)))
  const setAside = await countSetAside(transaction, workspaceId)
  return { chance, raised: setAside > 0, set_aside: setAside, learned_from: stored?.learned_from ?? 0 }
}
