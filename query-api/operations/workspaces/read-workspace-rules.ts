import { Type } from 'typebox'
import { readWorkspaceRules as readRules } from '../../../model/workspaces/rules.ts'
import { readOperation } from '../define.ts'
import { throwDeleted } from '../parts/throw-deleted.ts'
import { WorkspaceRules } from './workspace-rules.ts'

export const readWorkspaceRules = readOperation({
  name: 'read_workspace_rules',
  title: 'Read the workspace’s rules',
  summary: 'Answers the rules of this workspace, which an owner sets with set_workspace_rules.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({}),
  output: WorkspaceRules,
  run: async (_input, { caller, read }) => {
    const rules = await read(transaction => readRules(transaction, caller.workspaceId))
    return { data: rules ?? throwDeleted('workspace') }
  },
})
