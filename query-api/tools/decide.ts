import { logDecision } from '../operations/decisions/log-decision.ts'
import { editLivingDocument } from '../operations/documents/edit-living-document.ts'
import { changeGroup } from '../operations/groups/change-group.ts'
import { recordOutcome } from '../operations/outcomes/record-outcome.ts'
import { changeRoadmap } from '../operations/roadmap/change-roadmap.ts'
import { createSolution } from '../operations/solutions/create-solution.ts'
import { handOffSolution } from '../operations/solutions/hand-off-solution.ts'
import { prioritizeSolution } from '../operations/solutions/prioritize-solution.ts'
import { updateSolution } from '../operations/solutions/update-solution.ts'
import { changeStrategy } from '../operations/strategy/change-strategy.ts'
import { triage } from '../operations/triage/triage.ts'
import { undoChange } from '../operations/undo/undo-change.ts'
import { defineTool } from './define-tool.ts'

export const serviceDecide = defineTool({
  name: 'service_decide',
  title: 'Carry out a human Decision',
  description:
    'Writes what a human decided. triage: accept, dismiss, reclassify or promote a Signal, take out a repeat, confirm or refuse proposed merges of claims, one or a group at once, or undo any of that. create_solution, update_solution, prioritize: change the board; each needs comment (what was decided and why, logged as a Decision made through this key) or decision_id. handoff: connect a design or pull request and move to In Review. outcome: what came of it. living_doc: edit its Living Document. decision: log a Decision by itself. group, strategy, roadmap: groups of Solutions, the Strategy Stack, now/next/later. undo: takes back any change by the change_id in its answer’s meta. Ids are UUIDs, references (SOL-12) or exact names; one that fits none or several changes nothing and answers the candidates. Send version so that no newer change is lost.',
  modes: {
    triage: triage,
    create_solution: createSolution,
    update_solution: updateSolution,
    prioritize: prioritizeSolution,
    handoff: handOffSolution,
    outcome: recordOutcome,
    living_doc: editLivingDocument,
    decision: logDecision,
    group: changeGroup,
    strategy: changeStrategy,
    roadmap: changeRoadmap,
    undo: undoChange,
  },
})
