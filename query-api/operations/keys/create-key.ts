import { makeKey } from '../../../model/keys/keys.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { Type, writeOperation } from '../define.ts'

export const createKey = writeOperation({
  name: 'create_key',
  title: 'Create an MCP key',
  summary:
    'Creates a key for an agent, bound to this workspace, that sees what you see. The key is shown in this answer only.',
  effect: 'write',
  units: 3,
  role: 'viewer',
  audience: 'people',
  cannotBeUndone: 'A key is deleted under Settings → Account.',
  input: Type.Object({
    label: Type.String({
      minLength: 1,
      maxLength: MAX_CHARACTERS.name,
      pattern: '\\S',
      description: 'What you will know the key by.',
    }),
  }),
  output: Type.Object({
    id: Type.String({ format: 'uuid' }),
    key: Type.Union([Type.String(), Type.Null()], {
      description: 'The key itself; null when an idempotent call is repeated, as only its hash is stored.',
    }),
  }),
  apply: async ({ label }, transaction, { caller, services }) => {
    await requireQuota(transaction, services.quotas, 'keys', caller.workspaceId)
    const data = await makeKey(transaction, {
      workspaceId: caller.workspaceId,
      ownerId: caller.userId,
      label: label.trim(),
      scope: 'workspace',
    })
    return { data, secretFields: ['key'] }
  },
})
