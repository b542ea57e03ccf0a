import { type Static, Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { isPosted } from '../../../model/sources/kinds/index.ts'
import { newSecret } from '../../../model/sources/secret.ts'
import type { Answer, WriteContext } from '../define.ts'
import { CreatedSource, revealSource } from './created-source.ts'
import { noSource } from './find-source.ts'
import type { SourceRow } from './source-shape.ts'

/** A source with its new secret, in the one answer that shows it. */
export const RotatedSource = Type.Intersect([
  CreatedSource,
  Type.Object({ previous_secret_valid_until: Type.String() }),
])

// Rotated again within the time, the one before the one before is valid no longer: two are, never three.
const ROTATE = `
  update sources set
    previous_sealed_secret = sealed_secret, previous_secret_hash = secret_hash,
    previous_valid_until = now() + interval '24 hours',
    sealed_secret = $3, secret_hash = $4, changed_at = now(), version = version + 1
  where workspace_id = $1 and id = $2 and deleted_at is null
  returning previous_valid_until`

/** Gives a source a new secret beside the one that it has. Rejects with `invalid_input` for mail, which has none. */
export const rotateSecret = async (
  transaction: Transaction,
  { caller, services }: Pick<WriteContext, 'caller' | 'services'>,
  source: SourceRow,
): Promise<Answer<Static<typeof RotatedSource>>> => {
  if (!isPosted(source.kind)) {
    throw new AssayError(
      'invalid_input',
      `A source of kind ${source.kind} has no secret: its address is one. replace_ingestion_address gives it another.`,
    )
  }
  const { shown, sealed, hash } = newSecret(source.kind, services.seal)
  const values = [caller.workspaceId, source.id, sealed, hash]
  const [rotated] = await transaction.query<{ previous_valid_until: Date }>(ROTATE, values)
  // Deleted by somebody else since it was found.
  if (rotated === undefined) return noSource(source.id)
  const { data, ...answer } = revealSource(services, source, shown)
  return { ...answer, data: { ...data, previous_secret_valid_until: rotated.previous_valid_until.toISOString() } }
}
