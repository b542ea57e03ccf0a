import { updateClaim } from '../operations/claims/update-claim.ts'
import { assignOwner } from '../operations/comments/assign-owner.ts'
import { logDecision } from '../operations/decisions/log-decision.ts'
import { editLivingDocument } from '../operations/documents/edit-living-document.ts'
import { changeGroup } from '../operations/groups/change-group.ts'
import { mergeClaims } from '../operations/merges/merge-claims.ts'
import { showLessLikely } from '../operations/merges/show-less-likely.ts'
import { splitClaim } from '../operations/merges/split-claim.ts'
import { recordOutcome } from '../operations/outcomes/record-outcome.ts'
import { changeRoadmap } from '../operations/roadmap/change-roadmap.ts'
import { createSolution } from '../operations/solutions/create-solution.ts'
import { handOffSolution } from '../operations/solutions/hand-off-solution.ts'
import { prioritizeSolution } from '../operations/solutions/prioritize-solution.ts'
import { rankSolutions } from '../operations/solutions/rank-solutions.ts'
import { updateSolution } from '../operations/solutions/update-solution.ts'
import { changeStrategy } from '../operations/strategy/change-strategy.ts'
import { triage } from '../operations/triage/triage.ts'
import { triageSignals } from '../operations/triage/triage-signals.ts'
import { undoChange } from '../operations/undo/undo-change.ts'
import { defineTool } from './define-tool.ts'

export const serviceDecide = defineTool({
  name: 'service_decide',
  title: 'Carry out a human Decision',
  description:
    'Writes what a human decided. triage: on a Signal, a repeat or proposed merges of claims, or undo of any of that. triage_signals: on many Signals as one, and snooze. update_claim, split_claim, merge_claims: a pair without a proposal too. show_less_likely: proposes 20 more pairs. create_solution, update_solution, prioritize, rank_solutions: change the board; each needs comment (what was decided and why, logged as a Decision made through this key) or decision_id. handoff: connect a design or pull request and move to In Review. outcome: what came of it. living_doc: edit its Living Document. decision: log one by itself. group, strategy, roadmap: groups of Solutions, the Strategy Stack, now/next/later. assign: who looks after it. undo: takes back any change by meta.change_id. Ids are UUIDs, references (SOL-12) or exact names; one that fits none or several changes nothing and answers the candidates. Send the version you read so that no newer change is lost.',
  modes: {
    triage: triage,
    triage_signals: triageSignals,
    update_claim: updateClaim,
    split_claim: splitClaim,
    merge_claims: mergeClaims,
    show_less_likely: showLessLikely,
    create_solution: createSolution,
    update_solution: updateSolution,
    prioritize: prioritizeSolution,
    rank_solutions: rankSolutions,
    handoff: handOffSolution,
    outcome: recordOutcome,
    living_doc: editLivingDocument,
    decision: logDecision,
    group: changeGroup,
    strategy: changeStrategy,
    roadmap: changeRoadmap,
    assign: assignOwner,
    undo: undoChange,
  },
})
