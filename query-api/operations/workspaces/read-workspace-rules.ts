import { Type } from 'typebox'
import { readShownBar } from '../../../model/merges/chance/shown-bar.ts'
import { readWorkspaceRules as readRules } from '../../../model/workspaces/rules.ts'
import { readOperation } from '../define.ts'
import { BarShape } from '../merges/bar-shape.ts'
import { throwDeleted } from '../parts/throw-deleted.ts'
import { WorkspaceRules } from './workspace-rules.ts'

export const readWorkspaceRules = readOperation({
  name: 'read_workspace_rules',
  title: 'Read the workspace’s rules',
  summary:
    'Answers the rules of this workspace, which an owner sets with set_workspace_rules, and from which chance on merges are proposed.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({}),
  output: Type.Object({ ...WorkspaceRules.properties, proposal_bar: BarShape }),
  run: (_input, { caller, read }) =>
    read(async transaction => {
      const rules = (await readRules(transaction, caller.workspaceId)) ?? throwDeleted('workspace')
      return { data: { ...rules, proposal_bar: await readShownBar(transaction, caller.workspaceId) } }
    }),
})
