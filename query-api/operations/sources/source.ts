import type { Analytics } from '../../../infra/clickhouse/port.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { formatIngestionAddress } from '../../../model/sources/ingestion-address.ts'
import { isPosted, postedPath } from '../../../model/sources/kinds/index.ts'
import { metricsLabel } from '../../../model/sources/proof.ts'
import { type RequestCount, requestsSince } from '../../../model/sources/source-requests.ts'
import {
  closeSource as close,
  readSource,
  type SourceIdentity,
  type SourceRow,
} from '../../../model/sources/sources.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import type { SourceId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import { OWN_WORDS, ownText } from '../../../schemas/domain/strangers.ts'
import { CODE_HOSTS, SOURCE_KINDS } from '../../../schemas/domain/vocabulary.ts'
import { ConnectionSettings } from '../../../schemas/http/connection.ts'
import { AssayError, type Services, type Static, type Transaction, Type } from '../define.ts'
import { identifier, instant, nullable, oneOf, uuid } from '../parts/fields.ts'

export const url = nullable(
  ownText({ description: 'Where senders POST to. Treat it like a key. Null for a source of kind email.' }),
)
export const address = nullable(
  Type.String({ description: 'Where mail is forwarded to. Treat it like a key. Null for the other kinds.' }),
)

/** A source as lists show it, without its secret. */
export const SourceShape = Type.Object({
  id: uuid,
  kind: oneOf(SOURCE_KINDS),
  name: ownText(),
  code_host: nullable(oneOf(CODE_HOSTS)),
  url,
  address,
  settings: Type.With(ConnectionSettings, { $comment: OWN_WORDS }),
  created_at: instant,
  previous_secret_valid_until: nullable(
    Type.String({ description: 'While the secret is rotated: until when the one before it is accepted too.' }),
  ),
  paused_at: nullable(Type.String({ description: 'Since when its senders are told to come back later.' })),
  version: Type.Integer(),
  metrics_label: Type.String({ description: 'What the edge’s Prometheus metrics call the source.' }),
})

type Reachable = Pick<Services, 'baseUrl' | 'mailDomain'>

export const toSource = (services: Reachable, row: SourceRow): Static<typeof SourceShape> => ({
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

/** Address of a source: a URL for posts, or a mail address. */
interface SourceAddress {
  /** Null for mail. */
  readonly url: string | null
  /** Null for a posted source, and when the installation receives no mail. */
  readonly address: string | null
}

/** `slug` belongs to the workspace. */
export const sourceAddressOf = (
  { baseUrl, mailDomain }: Reachable,
  source: SourceIdentity,
  slug: string,
): SourceAddress => {
  const { kind, code_host: codeHost } = source
  if (isPosted(kind)) return { url: `${baseUrl}${postedPath(kind, codeHost)}${source.id}`, address: null }
  if (mailDomain === null) return { url: null, address: null }
  return { url: null, address: formatIngestionAddress({ slug, sourceId: source.id, domain: mailDomain }) }
}

/** A source of the transaction's workspace. Rejects with `not_found`. */
export const findSource = async (transaction: Transaction, id: string): Promise<SourceRow> =>
  (await readSource(transaction, id)) ?? noSource(id)

/** A source as callers name it. */
export const sourceId = Type.With(identifier, { description: 'The source. A UUID or exact name.' })

/** The source of an identifier. Rejects with `not_found` or `ambiguous`. */
export const resolveSource = async (transaction: Transaction, identified: string): Promise<SourceRow> =>
  findSource(transaction, (await resolveOne(transaction, 'source', identified)).id)

export const noSource = (id: string): never => {
  throw new AssayError('not_found', `No source ${id} is in this workspace; list_sources lists them.`)
}

/** Rejects with `not_found`. */
export const closeSource = async (transaction: Transaction, workspaceId: WorkspaceId, id: string): Promise<void> => {
  if (!(await close(transaction, workspaceId, id))) noSource(id)
}

export const Refusals = Type.Array(Type.Object({ reason: ownText(), count: Type.Integer() }), {
  description: 'By reason, the most frequent first.',
})
export type Refusals = Static<typeof Refusals>

/** Null while the analytics are away; the last time is also null when nothing ever came. */
export const LastDay = Type.Object({
  last_seen_at: nullable(Type.String({ description: 'ISO 8601, UTC. When a request last came, accepted or refused.' })),
  accepted_last_day: nullable(Type.Integer()),
  refused_last_day: nullable(Type.Integer()),
  refusals_last_day: nullable(Refusals),
})
export type LastDay = Static<typeof LastDay>

const AWAY: LastDay = { last_seen_at: null, accepted_last_day: null, refused_last_day: null, refusals_last_day: null }

type Row = RequestCount & { readonly last: string; readonly first_ms: number }

/** Time of the first refused request for each reason, milliseconds since the epoch. */
type FirstRefusals = ReadonlyMap<string, number>

/** Requests to each source in the 24 hours before `now`. */
export const lastDayOf = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  { sources, now }: { readonly sources: readonly SourceId[]; readonly now: Date },
): Promise<(source: SourceId) => LastDay> => {
  const rows = await requestsOfDay(analytics, workspaceId, { sources, now })
  return source => (rows === null ? AWAY : inSum(rows.filter(row => row.source_id === source)))
}

/** Like `lastDayOf`, with the start of the refusals. */
export const refusalsOfDay = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  { sources, now }: { readonly sources: readonly SourceId[]; readonly now: Date },
): Promise<(source: SourceId) => { readonly lastDay: LastDay; readonly firstRefusals: FirstRefusals }> => {
  const rows = await requestsOfDay(analytics, workspaceId, { sources, now })
  return source => {
    if (rows === null) return { lastDay: AWAY, firstRefusals: new Map() }
    const own = rows.filter(row => row.source_id === source)
    const firstRefusals = new Map(own.map(({ refused_for, first_ms }) => [refused_for, first_ms]))
    return { lastDay: inSum(own), firstRefusals }
  }
}

const requestsOfDay = (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  { sources, now }: { readonly sources: readonly SourceId[]; readonly now: Date },
): Promise<readonly Row[] | null> =>
  requestsSince({ analytics, workspaceId, sources }, new Date(now.getTime() - DAY_MS))

const inSum = (rows: readonly Row[]): LastDay => {
  const refusals = refusalsOf(rows)
  return {
    last_seen_at:
      rows
        .map(({ last }) => last)
        .sort()
        .at(-1) ?? null,
    accepted_last_day: rows.find(row => row.refused_for === '')?.requests ?? 0,
    refused_last_day: refusals.reduce((sum, { count }) => sum + count, 0),
    refusals_last_day: refusals,
  }
}

export const refusalsOf = (rows: readonly RequestCount[]): Refusals =>
  rows
    .filter(row => row.refused_for !== '' && row.requests > 0)
    .map(row => ({ reason: row.refused_for, count: row.requests }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
