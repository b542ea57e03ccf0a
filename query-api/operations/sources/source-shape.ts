import { type Static, Type } from 'typebox'
import { metricsLabel } from '../../../model/sources/proof.ts'
import type { SourceRow } from '../../../model/sources/read-sources.ts'
import { CODE_HOSTS, SOURCE_KINDS } from '../../../schemas/domain/vocabulary.ts'
import { ConnectionSettings } from '../../../schemas/http/connection.ts'
import type { Services } from '../define.ts'
import { instant, nullable, oneOf, uuid } from '../parts/fields.ts'
import { sourceAddressOf } from './source-address.ts'

export const url = nullable(
  Type.String({ description: 'Where senders POST to. Treat it like a key. Null for a source of kind email.' }),
)
export const address = nullable(
  Type.String({ description: 'Where mail is forwarded to. Treat it like a key. Null for the other kinds.' }),
)

/** A source as lists show it, without its secret. */
export const SourceShape = Type.Object({
  id: uuid,
  kind: oneOf(SOURCE_KINDS),
  name: Type.String(),
  code_host: nullable(oneOf(CODE_HOSTS)),
  url,
  address,
  settings: ConnectionSettings,
  created_at: instant,
  previous_secret_valid_until: nullable(
    Type.String({ description: 'While the secret is rotated: until when the one before it is accepted too.' }),
  ),
  paused_at: nullable(Type.String({ description: 'Since when its senders are told to come back later.' })),
  version: Type.Integer(),
  metrics_label: Type.String({ description: 'What the edge’s Prometheus metrics call the source.' }),
})

export const toSource = (
  services: Pick<Services, 'baseUrl' | 'mailDomain'>,
  row: SourceRow,
): Static<typeof SourceShape> => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  code_host: row.code_host,
  ...sourceAddressOf(services, row, row.slug),
  settings: row.settings,
  created_at: row.created_at.toISOString(),
  previous_secret_valid_until: row.previous_valid_until?.toISOString() ?? null,
  paused_at: row.paused_at?.toISOString() ?? null,
  version: row.version,
  metrics_label: metricsLabel(row.id),
})
