import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { insertWorkspace } from '../../../model/workspaces/lifecycle.ts'
import { newId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { Type, writeOperation } from '../define.ts'

export const createWorkspace = writeOperation({
  name: 'create_workspace',
  title: 'Create a workspace',
  summary: 'Creates another workspace in your organization, with you as its owner. It shares nothing with the others.',
  effect: 'write',
  units: 3,
  role: 'owner',
  audience: 'people',
  provisioning: true,
  databaseRole: 'assay_accounts',
  input: Type.Object({
    name: Type.String({ minLength: 1, maxLength: MAX_CHARACTERS.name, pattern: '\\S' }),
    sandbox: Type.Optional(
      Type.Boolean({ description: 'For trying things out: reset_sandbox fills it with sample data. Default false.' }),
    ),
  }),
  output: Type.Object({ id: Type.String({ format: 'uuid' }), name: Type.String() }),
  apply: async (input, transaction, { caller, services }) => {
    const id = newId<WorkspaceId>()
    const name = input.name.trim()
    const { tenantId, userId: ownerId, via: through } = caller
    const made = { id, tenantId, name, ownerId, sandbox: input.sandbox ?? false }
    if (through.kind === 'key') {
      await requireQuota(transaction, services.quotas, 'workspacesOfKey', through.keyId)
      await insertWorkspace(transaction, { ...made, provisionedBy: through.keyId })
    } else {
      await requireQuota(transaction, services.quotas, 'workspacesOfAccount', ownerId)
      await insertWorkspace(transaction, made)
    }
    return { data: { id, name } }
  },
})
