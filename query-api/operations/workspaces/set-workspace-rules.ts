import { setWorkspaceRules as setRules } from '../../../model/workspaces/workspaces.ts'
import { WHO_MERGES } from '../../../schemas/domain/vocabulary.ts'
import { Type, throwDeleted, writeOperation } from '../define.ts'
import { expected, requireExpected } from '../parts/expected.ts'
import { oneOf } from '../parts/fields.ts'
import { WorkspaceRules } from './read-workspace-rules.ts'

const rules = {
  requires_app_decisions: Type.Boolean({ description: 'Default false.' }),
  who_merges: oneOf(WHO_MERGES, { description: 'Default judge.' }),
  learns: Type.Boolean({ description: 'Default true.' }),
  asks_reasons: Type.Boolean({ description: 'Default false.' }),
}

export const setWorkspaceRules = writeOperation({
  name: 'set_workspace_rules',
  title: 'Set the workspace’s rules',
  summary:
    'Answers the rules of this workspace, changed where a field is sent. requires_app_decisions: Done, Dropped and Outcomes need a Decision that a person made in the app; a key then brings its decision_id. who_merges: with judge a judge’s yes merges at once, with people it waits as a proposal. learns: whether what people say of Signals speaks when new ones are classified. asks_reasons: whether the app asks why where somebody drags a Solution; each move is a Decision either way.',
  effect: 'write',
  units: 3,
  role: 'owner',
  audience: 'people',
  databaseRole: 'assay_accounts',
  input: Type.Object({ ...Type.Partial(Type.Object(rules)).properties, expected: expected(rules) }),
  output: WorkspaceRules,
  apply: async ({ expected: read, ...wanted }, transaction, { caller }) => {
    // Setting nothing locks the rules and answers them.
    const current = (await setRules(transaction, caller.workspaceId, {})) ?? throwDeleted('workspace')
    requireExpected('The rule has changed since you read it.', read, { ...current })
    const rules = await setRules(transaction, caller.workspaceId, wanted)
    return { data: rules ?? throwDeleted('workspace') }
  },
})
