import { decideCreateSolution } from '../operations/decide/create-solution.ts'
import { decideDecision } from '../operations/decide/decision.ts'
import { decideHandoff } from '../operations/decide/handoff.ts'
import { decideLivingDoc } from '../operations/decide/living-doc.ts'
import { decideOutcome } from '../operations/decide/outcome.ts'
import { decidePrioritize } from '../operations/decide/prioritize.ts'
import { decideTriage } from '../operations/decide/triage.ts'
import { decideUpdateSolution } from '../operations/decide/update-solution.ts'
import { decideGroup } from '../operations/portfolio/group.ts'
import { decideRoadmap } from '../operations/portfolio/roadmap.ts'
import { decideStrategy } from '../operations/portfolio/strategy.ts'
import { defineTool } from './define-tool.ts'

export const serviceDecide = defineTool({
  name: 'service_decide',
  title: 'Carry out a human Decision',
  description:
    'Writes what a human decided. triage: accept, dismiss, reclassify or promote a Signal, confirm or refuse proposed merges of claims, one or a group at once, or undo any of that. create_solution, update_solution, prioritize: change the board; each needs comment (what was decided and why, logged as a Decision made through this key) or decision_id. handoff: connect a design or pull request and move to In Review. outcome: what came of a Done Solution. living_doc: edit its Living Document. decision: log a Decision by itself. group, strategy, roadmap: groups of Solutions, the Strategy Stack, now/next/later. Ids may be UUIDs, references (SOL-12) or exact names; a name that fits none or several changes nothing and answers the candidates. Send version to be sure that nobody changed it meanwhile.',
  modes: {
    triage: decideTriage,
    create_solution: decideCreateSolution,
    update_solution: decideUpdateSolution,
    prioritize: decidePrioritize,
    handoff: decideHandoff,
    outcome: decideOutcome,
    living_doc: decideLivingDoc,
    decision: decideDecision,
    group: decideGroup,
    strategy: decideStrategy,
    roadmap: decideRoadmap,
  },
})
