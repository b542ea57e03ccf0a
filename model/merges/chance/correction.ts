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

/** The chance with what a workspace's own decisions say of chances. */
export const corrected = (chance: number, shift: number): number => logistic(logit(chance) + shift)

/** Whether a pair of this chance waits for people, if there is room above the bar. Chances are stored with 32 bits. */
export const isWorthShowing = (chance: number, bar: ProposalBar | undefined): boolean =>
  corrected(chance, bar?.shift ?? 0) >= LEAST_CHANCE || Math.fround(chance) > Math.fround(bar?.asked_to ?? 1)

interface SettledChance {
  readonly chance: number
  readonly same: boolean
  /** One for a pair that was decided by itself; together one for those that one press settled. */
  readonly weight: number
}

/** How far a shift may be from 0 before there are decisions: its standard deviation. */
const EXPECTED_SHIFT = 1
/** Each halves what is left of the range: after so many, doubles are no nearer. */
const HALVINGS = 60

/**
 * What must be added to the logarithm of the odds of each chance so that the chances fit what people decided: the most
 * likely shift, if shifts are normally distributed around 0. A few decisions move it little. Found by halving: the
 * slope of the likelihood falls all the way, and steps by its curvature leave where chances are near 0 or 1.
 */
export const shiftOf = (settled: readonly SettledChance[]): number => {
  // Each decision pulls by less than 1, and the expectation pulls back by the shift over its variance.
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

// What a person took out of a repeat is not the same as its original: whatever was proposed between their claims.
const LAST_DECIDED = `
  (select chance, state = 'confirmed' as same, 1 / count(*) over (partition by decision_id)::float8 as weight from merge_proposals
   where workspace_id = $1 and state in ('confirmed', 'refused') and not implied and chance is not null and decision_id is not null
   order by decided_at desc limit 500)
  union all
  (select proposal.chance, false, 1
   from taken_out_repeats taken
   join claim_evidence own on own.signal_id = taken.id
   join claim_evidence original on original.signal_id = taken.original_id
   join merge_proposals proposal on proposal.workspace_id = $1 and proposal.chance is not null
     and least(proposal.claim_id, proposal.candidate_claim_id) = least(own.claim_id, original.claim_id)
     and greatest(proposal.claim_id, proposal.candidate_claim_id) = greatest(own.claim_id, original.claim_id)
   where taken.workspace_id = $1 and taken.in_force and (proposal.state in ('waiting', 'set_aside') or proposal.implied)
   order by taken.taken_out_at desc limit 500)`

/**
 * Learns from the last 500 pairs that people confirmed or refused, and as many repeats that they took out, and sets
 * aside what is too unlikely now. Called after each such decision.
 */
export const learnFromDecisions = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<void> => {
  const settled = await transaction.query<SettledChance>(LAST_DECIDED, [workspaceId])
  await storeShift(transaction, workspaceId, { shift: shiftOf(settled), learnedFrom: settled.length })
  await setAsideUnlikely(transaction, workspaceId)
}

/** What the people of a workspace are told about their bar. */
interface ShownBar {
  /** The chance from which on pairs are proposed, as the workspace's decisions correct it. */
  readonly chance: number
  /** There are pairs below it that people may ask for. */
  readonly raised: boolean
  /** How many they are. */
  readonly set_aside: number
  /** How many of the workspace's own decisions correct the chances. */
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
