import type { Analytics } from '../../../infra/clickhouse/port.ts'
import { isPosted } from '../../../model/sources/kinds/index.ts'
import {
  type HourlyRequests,
  type LastRequest,
  lastRequests,
  requestsByHour,
} from '../../../model/sources/source-requests.ts'
import { HOUR_MS } from '../../../schemas/domain/durations.ts'
import { counted } from '../../../schemas/domain/for-people.ts'
import type { SourceId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import { OWN_WORDS, ownText, untrustedText } from '../../../schemas/domain/strangers.ts'
import { readOperation, type Static, Type } from '../define.ts'
import { createCutLists } from '../parts/cut-lists.ts'
import { ANSWER_TOKENS } from '../parts/excerpt.ts'
import { instant, NextCall, nullable } from '../parts/fields.ts'
import { AutomaticMails, readAutomaticMails } from './automatic-mail.ts'
import { meaningOf, RefusalMeaning } from './refusal-meanings.ts'
import { LastDay, lastDayOf, Refusals, refusalsOf, resolveSource, SourceShape, sourceId, toSource } from './source.ts'

/** Advice about a source, as a sentence and as a call. */
export const SourceStep = Type.Object({
  message: ownText(),
  next: Type.Object({
    ...NextCall.properties,
    arguments: Type.Record(Type.String(), Type.Unknown(), { $comment: OWN_WORDS }),
  }),
})
type SourceStep = Static<typeof SourceStep>

const nextStep = (source: Static<typeof SourceShape> & LastDay): SourceStep => {
  const { id, kind, paused_at: pausedAt, last_seen_at: last, address } = source
  const call = (tool: string, mode: string, given: object, reason: string) => ({
    tool,
    mode,
    arguments: { ...given },
    reason,
  })
  const test = call('service_connect', 'test', { id }, 'Answers a right request to send, and what it is answered.')
  if (pausedAt !== null) {
    const resume = call('service_connect', 'update', { id, paused: false }, 'Resumes it.')
    return { message: `It is paused since ${pausedAt}: its senders are told to come back later.`, next: resume }
  }
  const [most] = source.refusals_last_day ?? []
  if (most !== undefined) {
    const { meaning, remedy } = meaningOf(most.reason)
    const message = `In 24 hours ${counted(most.count, 'request was', 'requests were')} refused as ${most.reason}. ${meaning} ${remedy}`
    return { message, next: isPosted(kind) ? test : activityOf(id) }
  }
  if (last === null && !isPosted(kind)) {
    const message =
      address === null
        ? 'This installation takes no mail: INGEST_MAIL_DOMAIN is not set.'
        : `Nothing came yet: write a mail to ${address}.`
    return { message, next: activityOf(id) }
  }
  if (last === null) {
    return {
      message: 'No request has come so far: set the sender up, or try the address with a request of your own.',
      next: test,
    }
  }
  return { message: `It works: the last request came ${last}.`, next: activityOf(id) }
}

const activityOf = (id: string) => ({
  tool: 'service_support',
  mode: 'source',
  arguments: { id, hours: 168 },
  reason: 'Shows the last week by the hour.',
})

const RecentRequest = Type.Object({
  at: instant,
  accepted: Type.Boolean(),
  reason: nullable(ownText({ description: 'Of a refusal.' })),
  count: Type.Integer({ description: 'Refusals within seconds for one reason are told as one.' }),
  event: nullable(untrustedText({ description: 'Of a code host.' })),
  signal_id: nullable(Type.String({ description: 'For service_support mode signal.' })),
})
type RecentRequest = Static<typeof RecentRequest>

const MAX_REQUESTS = 15

/** The last requests of a source, newest first; null while the analytics are away. */
const recentRequests = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  source: SourceId,
  now: Date,
): Promise<RecentRequest[] | null> => {
  const rows = await lastRequests({ analytics, workspaceId, sources: [source] }, now, MAX_REQUESTS)
  return rows?.map(requestOf) ?? null
}

const requestOf = ({ at_ms, event, signal, requests, refused_for: reason }: LastRequest) => ({
  at: new Date(at_ms).toISOString(),
  accepted: reason === '',
  reason: reason === '' ? null : reason,
  count: requests,
  event: event === '' ? null : event,
  signal_id: signal === '' ? null : signal,
})

export const sourceHealth = readOperation({
  name: 'source_health',
  title: 'How a source is doing',
  summary:
    'One source’s way in: its address, its last requests, accepted and refused, what each reason means, and the next step; and what its endpoint took and refused in each hour of the time asked for. Hours in which nothing came are left out. Automatic mail that it keeps apart is in automatic_mail. Use it when evidence that should arrive does not.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({
    id: sourceId,
    hours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 744,
        description: 'So many hours. How far back to look. Default 24; at most 31 days.',
      }),
    ),
  }),
  output: Type.Object({
    source: Type.Intersect([SourceShape, LastDay]),
    step: SourceStep,
    automatic_mail: AutomaticMails,
    recent: nullable(Type.Array(RecentRequest, { description: 'The last 15, the newest first. Null: as items.' })),
    reasons: Type.Array(RefusalMeaning, { description: 'What each reason of a refusal here means.' }),
    from: instant,
    to: instant,
    items: nullable(
      Type.Array(
        Type.Object({ hour: instant, accepted: Type.Integer(), refused: Type.Integer(), refusals: Refusals }),
        {
          description:
            'All in one answer, the oldest first; of many hours the newest that fit: hours asks for fewer. Null while the analytics are away.',
        },
      ),
    ),
  }),
  run: async ({ id, hours = 24 }, { read, services, caller }) => {
    const to = services.now()
    const from = new Date(to.getTime() - hours * HOUR_MS)
    const row = await read(transaction => resolveSource(transaction, id))
    const sources: readonly SourceId[] = [row.id]
    const lastDay = await lastDayOf(services.analytics, caller.workspaceId, { sources, now: to })
    const { analytics } = services
    const rows = await requestsByHour({ analytics, workspaceId: caller.workspaceId, sources }, { from, to })
    const recent = await recentRequests(services.analytics, caller.workspaceId, row.id, to)
    const source = { ...toSource(services, row), ...lastDay(row.id) }
    const hourly = rows && byHour(rows)
    const lists = createCutLists()
    const newest = hourly?.toReversed()
    const shown = newest && lists.take('items', newest, ANSWER_TOKENS - OTHERS_TOKENS, FEWER_HOURS).toReversed()
    const reasons = new Set([...(rows ?? []), ...(recent ?? [])].map(reasonOf).filter(reason => reason !== null))
    return {
      data: {
        source,
        step: nextStep(source),
        automatic_mail: await readAutomaticMails(read, row.id, services.readSignal),
        recent,
        reasons: [...reasons].map(meaningOf),
        from: from.toISOString(),
        to: to.toISOString(),
        items: shown ?? null,
      },
      note: lists.note(),
    }
  },
})

const FEWER_HOURS = { rest: 'hours asks for fewer' }

/** Tokens of the answer beside the hours. */
const OTHERS_TOKENS = 5000

const reasonOf = (one: { readonly refused_for: string } | { readonly reason: string | null }): string | null =>
  'refused_for' in one ? one.refused_for || null : one.reason

const byHour = (rows: readonly HourlyRequests[]) =>
  [...Map.groupBy(rows, ({ hour }) => hour)].map(([hour, of]) => {
    const refusals = refusalsOf(of)
    return {
      hour,
      accepted: of.find(row => row.refused_for === '')?.requests ?? 0,
      refused: refusals.reduce((sum, { count }) => sum + count, 0),
      refusals,
    }
  })
