import { Type } from 'typebox'
import { writeOperation } from '../define.ts'
import { gone } from '../parts/gone.ts'

const SET = `
  update workspaces set requires_app_decisions = coalesce($2, requires_app_decisions)
  where id = $1
  returning requires_app_decisions`

export const setWorkspaceRules = writeOperation({
  name: 'set_workspace_rules',
  title: 'Set the workspace’s rules',
  summary:
    'Answers the rules of this workspace, changed where a field is sent. requires_app_decisions: Done, Dropped and Outcomes need a Decision that a person made in the app; a key then brings its decision_id.',
  effect: 'write',
  units: 3,
  role: 'owner',
  audience: 'people',
  worksAs: 'assay_accounts',
  input: Type.Object({
    requires_app_decisions: Type.Optional(Type.Boolean({ description: 'Default false.' })),
  }),
  output: Type.Object({ requires_app_decisions: Type.Boolean() }),
  apply: async (input, transaction, { caller }) => {
    const values = [caller.workspaceId, input.requires_app_decisions ?? null]
    const [rules] = await transaction.query<{ requires_app_decisions: boolean }>(SET, values)
    return { data: rules ?? gone('workspace') }
  },
})
