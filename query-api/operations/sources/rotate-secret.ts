import { type Static, Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { replaceSecret } from '../../../model/sources/change-sources.ts'
import { isPosted } from '../../../model/sources/kinds/index.ts'
import { newSecret } from '../../../model/sources/proof.ts'
import type { SourceRow } from '../../../model/sources/read-sources.ts'
import type { Answer, WriteContext } from '../define.ts'
import { CreatedSource, revealSource } from './created-source.ts'
import { noSource } from './find-source.ts'

/** A source with its new secret, in the one answer that shows it. */
export const RotatedSource = Type.Intersect([
  CreatedSource,
  Type.Object({ previous_secret_valid_until: Type.String() }),
])

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
  const secret = newSecret(source.kind, services.seal)
  const previousValidUntil = await replaceSecret(transaction, caller.workspaceId, source.id, secret)
  // Deleted by somebody else since it was found.
  if (previousValidUntil === null) return noSource(source.id)
  const { data, ...answer } = revealSource(services, source, secret.shown)
  return { ...answer, data: { ...data, previous_secret_valid_until: previousValidUntil.toISOString() } }
}
