import { readLearningProgress } from '../../../model/learning/lessons.ts'
import { readShownBar } from '../../../model/merges/chance/correction.ts'
import { readWorkspaceRules as readRules } from '../../../model/workspaces/workspaces.ts'
import { WHO_MERGES } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, Type, throwDeleted } from '../define.ts'
import { BarShape } from '../merges/merge.ts'
import { instant, nullable, oneOf } from '../parts/fields.ts'

/** Rules for all members of a workspace. */
export const WorkspaceRules = Type.Object({
  requires_app_decisions: Type.Boolean(),
  who_merges: oneOf(WHO_MERGES, { description: 'Who merges claims that a judge finds to be the same.' }),
  learns: Type.Boolean({
    description: 'Whether what people say of Signals speaks when new ones are classified.',
  }),
  asks_reasons: Type.Boolean({
    description: 'Whether the app asks why where somebody drags a Solution on the Board.',
  }),
})

const Taught = Type.Object({
  lessons: Type.Integer({ description: 'Signals that people reclassified, or accepted as they were classified.' }),
  corrections: Type.Integer({ description: 'Of them, those that were reclassified.' }),
  learned_from: Type.Integer({ description: 'How many were last learned from; 0 below 20.' }),
  learned_at: nullable(instant),
  tested: Type.Integer({
    description: 'On how many of the newest lessons it was tested, each by a fit that had not seen it.',
  }),
  answered_right: Type.Integer(),
  weight: Type.Number({ description: 'How much that says beside the built-in classifier, from 0 to 1.' }),
})

export const readWorkspaceRules = readOperation({
  name: 'read_workspace_rules',
  title: 'Read the workspace’s rules',
  summary:
    'Answers the rules of this workspace, which an owner sets with set_workspace_rules, what its classifier was taught, and from which chance on merges are proposed.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({}),
  output: Type.Object({ ...WorkspaceRules.properties, taught: Taught, proposal_bar: BarShape }),
  run: async (_input, { caller, read }) => {
    const { rules, progress, bar } = await read(async transaction => ({
      rules: await readRules(transaction, caller.workspaceId),
      progress: await readLearningProgress(transaction),
      bar: await readShownBar(transaction, caller.workspaceId),
    }))
    const { learns: _, learned_at, ...taught } = progress
    return {
      data: {
        ...(rules ?? throwDeleted('workspace')),
        taught: { ...taught, learned_at: learned_at?.toISOString() ?? null },
        proposal_bar: bar,
      },
    }
  },
})
