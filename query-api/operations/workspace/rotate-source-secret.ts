import { Type } from 'typebox'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { writeOperation } from '../define.ts'
import { CreatedSource, revealSource } from './created-source.ts'
import { findSource, noSource } from './find-source.ts'
import { newSecret } from './source-secret.ts'

// Rotated again within the time, the one before the one before is valid no longer: two are, never three.
const ROTATE = `
  update sources set
    previous_sealed_secret = sealed_secret, previous_secret_hash = secret_hash,
    previous_valid_until = now() + interval '24 hours',
    sealed_secret = $3, secret_hash = $4, changed_at = now()
  where workspace_id = $1 and id = $2 and deleted_at is null
  returning previous_valid_until`

export const rotateSourceSecret = writeOperation({
  name: 'rotate_source_secret',
  title: 'Rotate a source’s secret',
  summary:
    'Gives a source a new secret, shown in this answer only. The one before stays valid for 24 hours, so that senders can be changed one by one. Where a secret is in strangers’ hands, delete the source and create another instead.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'people',
  input: Type.Object({ id: Type.String({ format: 'uuid', description: 'The source’s id, from list_sources.' }) }),
  output: Type.Intersect([CreatedSource, Type.Object({ previous_secret_valid_until: Type.String() })]),
  apply: async ({ id }, transaction, { caller, services }) => {
    const source = await findSource(transaction, id)
    if (source.kind === 'email') {
      throw new AssayError(
        'invalid_input',
        'A source of kind email has no secret: its address is one. replace_ingestion_address gives it another.',
      )
    }
    const { shown, sealed, hash } = newSecret(source.kind, services.seal)
    const [rotated] = await transaction.query<{ previous_valid_until: Date }>(ROTATE, [
      caller.workspaceId,
      id,
      sealed,
      hash,
    ])
    // Deleted by somebody else since it was found.
    if (rotated === undefined) return noSource(id)
    const { data, ...answer } = revealSource(services, source, shown)
    const until = rotated.previous_valid_until.toISOString()
    return { ...answer, data: { ...data, previous_secret_valid_until: until } }
  },
})
