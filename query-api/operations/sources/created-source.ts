import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { DESCRIPTIONS, isPosted } from '../../../model/sources/kinds/index.ts'
import { givenSecret, type NewSecret, newSecret } from '../../../model/sources/proof.ts'
import { insertSource, type SourceIdentity, type SourceRow } from '../../../model/sources/sources.ts'
import { newId, type SourceId } from '../../../schemas/domain/ids.ts'
import type { CodeHost, SourceKind } from '../../../schemas/domain/vocabulary.ts'
import type { ConnectionSettings } from '../../../schemas/http/connection.ts'
import {
  type Answer,
  AssayError,
  type Services,
  type Static,
  type Transaction,
  Type,
  type WriteContext,
} from '../define.ts'
import { nullable, uuid } from '../parts/fields.ts'
import { Examples, examplesOf } from './examples/programs.ts'
import { address, findSource, sourceAddressOf, url } from './source.ts'

/** A source with its secret, in the only answer that shows it. */
export const CreatedSource = Type.Object({
  id: uuid,
  url,
  address,
  secret: nullable(
    Type.String({
      description:
        'Shown this once. Null for mail, which has none, for a secret that was given, and when an idempotent call is repeated.',
    }),
  ),
  examples: nullable(Examples),
  setup: Type.Array(Type.String(), { description: 'What to do with them, step by step.' }),
})
type CreatedAnswer = Answer<Static<typeof CreatedSource>>

/** Answers a source with its new secret; null for mail. */
export const revealSource = (
  services: Pick<Services, 'baseUrl' | 'mailDomain' | 'now'>,
  source: SourceRow,
  secret: string | null,
): CreatedAnswer => {
  const { id, kind, code_host, settings } = source
  const reach = sourceAddressOf(services, source, source.slug)
  const examples =
    !isPosted(kind) || reach.url === null || secret === null
      ? null
      : examplesOf({ kind, code_host }, { url: reach.url, secret, settings, at: services.now() })
  return {
    data: { id, ...reach, secret, examples, setup: setupSteps(source) },
    secretFields: ['secret', 'examples'],
  }
}

/** A person's steps after creating the source. */
const setupSteps = ({ kind, code_host }: Pick<SourceIdentity, 'kind' | 'code_host'>): string[] =>
  DESCRIPTIONS[kind].connectables
    .filter(connectable => connectable.code_host === code_host)
    .flatMap(({ steps }) => steps)

interface WantedSource {
  readonly kind: SourceKind
  readonly name: string
  readonly codeHost: CodeHost | null
  readonly settings: ConnectionSettings
  /** The sender's existing secret; without one the source gets a new secret. */
  readonly secret?: string | undefined
}

/** Field for the existing secret of a Standard Webhooks sender. */
export const vendorSecret = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      'The vendor’s own. A whsec_ secret that it signs with already, as one that sends by Svix may; not shown again. Default: a new one.',
  }),
)

/** The given secret, or a new one. Throws `invalid_input` for another form. */
export const secretOf = (
  { kind, secret }: Pick<WantedSource, 'kind' | 'secret'>,
  seal: Services['seal'],
): NewSecret => {
  if (secret === undefined) return newSecret(kind, seal)
  const given = givenSecret(kind, secret.trim(), seal)
  if (given !== null) return given
  const message = 'must be whsec_ and the base64 of 24 to 75 bytes, as a sender of Standard Webhooks shows it'
  throw new AssayError('invalid_input', `The secret ${message}.`, { violations: [{ pointer: '/secret', message }] })
}

/**
 * Makes a source with its own secret. Rejects with `conflict` when the workspace already has the only source of that
 * kind.
 */
export const makeSource = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  { kind, name, codeHost, settings, secret: given }: WantedSource,
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
  const secret = secretOf({ kind, secret: given }, services.seal)
  const source = { id, workspaceId, kind, name: name.trim(), codeHost, settings, secret }
  if (!(await insertSource(transaction, source))) {
    throw new AssayError('conflict', DESCRIPTIONS[kind].oneOnly ?? 'There is one already.')
  }
  return revealSource(services, await findSource(transaction, id), secret.shown)
}
