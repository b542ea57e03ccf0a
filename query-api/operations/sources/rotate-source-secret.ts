import { isPosted } from '../../../model/sources/kinds/index.ts'
import { replaceSecret, type SourceRow } from '../../../model/sources/sources.ts'
import {
  type Answer,
  AssayError,
  type Static,
  type Transaction,
  Type,
  type WriteContext,
  writeOperation,
} from '../define.ts'
import { CreatedSource, revealSource, secretOf, vendorSecret } from './created-source.ts'
import { findSource, noSource } from './source.ts'

/** A source with its new secret, in the only answer that shows it. */
const RotatedSource = Type.Intersect([CreatedSource, Type.Object({ previous_secret_valid_until: Type.String() })])

/** Gives a source a new secret beside the present one. Rejects with `invalid_input` for mail, which has none. */
export const rotateSecret = async (
  transaction: Transaction,
  { caller, services }: Pick<WriteContext, 'caller' | 'services'>,
  source: SourceRow,
  given?: string,
): Promise<Answer<Static<typeof RotatedSource>>> => {
  if (!isPosted(source.kind)) {
    throw new AssayError(
      'invalid_input',
      `A source of kind ${source.kind} has no secret: its address is one. replace_ingestion_address gives it another.`,
    )
  }
  const secret = secretOf({ kind: source.kind, secret: given }, services.seal)
  const previousValidUntil = await replaceSecret(transaction, caller.workspaceId, source.id, secret)
  // Another person has deleted the source since it was found.
  if (previousValidUntil === null) return noSource(source.id)
  const { data, ...answer } = revealSource(services, source, secret.shown)
  return { ...answer, data: { ...data, previous_secret_valid_until: previousValidUntil.toISOString() } }
}

export const rotateSourceSecret = writeOperation({
  name: 'rotate_source_secret',
  title: 'Rotate a source’s secret',
  summary:
    'Gives a source a new secret, shown in this answer only. The one before stays valid for 24 hours, so that senders can be changed one by one; the one before that ends at once. Where a secret is in strangers’ hands, delete the source and create another instead.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'people',
  cannotBeUndone: 'A secret that was replaced is not used again. Rotate it once more.',
  input: Type.Object({ id: Type.String({ format: 'uuid', description: 'The source.' }), secret: vendorSecret }),
  output: RotatedSource,
  apply: async ({ id, secret }, transaction, context) => {
    const source = await findSource(transaction, id)
    return rotateSecret(transaction, context, source, secret)
  },
})
