import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { insertSource } from '../../../model/sources/change-sources.ts'
import { DESCRIPTIONS, isPosted } from '../../../model/sources/kinds/index.ts'
import { newSecret } from '../../../model/sources/proof.ts'
import { newId, type SourceId } from '../../../schemas/domain/ids.ts'
import type { CodeHost, SourceKind } from '../../../schemas/domain/vocabulary.ts'
import type { ConnectionSettings } from '../../../schemas/http/connection.ts'
import type { WriteContext } from '../define.ts'
import { type CreatedAnswer, revealSource } from './created-source.ts'
import { findSource } from './find-source.ts'

export interface WantedSource {
  readonly kind: SourceKind
  readonly name: string
  readonly codeHost: CodeHost | null
  readonly settings: ConnectionSettings
}

/** Makes a source with a secret of its own. Rejects with `conflict` when the workspace has the one of that kind already. */
export const makeSource = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  { kind, name, codeHost, settings }: WantedSource,
): Promise<CreatedAnswer> => {
  if (!isPosted(kind) && services.mailDomain === null) {
    throw new AssayError(
      'conflict',
      'This installation takes no mail: its operator has to set INGEST_MAIL_DOMAIN to the domain of the ingestion addresses.',
    )
  }
  const { workspaceId } = caller
  await requireQuota(transaction, services.quotas, 'sources', workspaceId)
  const id = newId<SourceId>()
  const secret = newSecret(kind, services.seal)
  const source = { id, workspaceId, kind, name: name.trim(), codeHost, settings, secret }
  if (!(await insertSource(transaction, source))) {
    throw new AssayError('conflict', DESCRIPTIONS[kind].oneOnly ?? 'There is one already.')
  }
  return revealSource(services, await findSource(transaction, id), secret.shown)
}
