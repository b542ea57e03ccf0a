import { Type } from 'typebox'
import type { SourceId } from '../../../schemas/domain/ids.ts'
import { readOperation } from '../define.ts'
import { instant, nullable } from '../parts/fields.ts'
import { findSource } from './find-source.ts'
import { LastDay, lastDayOf, Refusals, refusalsOf } from './last-day.ts'
import { REQUESTS, sourceRequests } from './source-requests.ts'
import { SourceShape, toSource } from './source-shape.ts'

const HOUR_MS = 3_600_000

interface Row {
  readonly hour: string
  readonly requests: number
}

export const sourceHealth = readOperation({
  name: 'source_health',
  title: 'How a source is doing',
  summary:
    'One source with what its endpoint accepted and refused in each hour of the time asked for, refusals by reason. Hours in which nothing came are left out. Use it when evidence that should arrive does not.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({
    id: Type.String({ format: 'uuid', description: 'The source’s id, from list_sources.' }),
    hours: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 744, description: 'How far back to look. Default 24; at most 31 days.' }),
    ),
  }),
  output: Type.Object({
    source: Type.Intersect([SourceShape, LastDay]),
    from: instant,
    to: instant,
    items: nullable(
      Type.Array(
        Type.Object({ hour: instant, accepted: Type.Integer(), refused: Type.Integer(), refusals: Refusals }),
        {
          description: 'The oldest first. Null while the analytics are away.',
        },
      ),
    ),
  }),
  run: async ({ id, hours = 24 }, { read, services, caller }) => {
    const to = services.now()
    const from = new Date(to.getTime() - hours * HOUR_MS)
    const row = await read(transaction => findSource(transaction, id))
    const sources: readonly SourceId[] = [row.id]
    const lastDay = await lastDayOf(services.analytics, caller.workspaceId, { sources, now: to })
    const rows = await sourceRequests<Row>(services.analytics, caller.workspaceId, sources, {
      select: `toStartOfHour(occurred_at) AS hour, sum(${REQUESTS}) AS requests`,
      where: ['occurred_at >= {from: DateTime64(3)}', 'occurred_at <= {to: DateTime64(3)}'],
      groupBy: ['hour'],
      orderBy: 'hour',
      parameters: { from, to },
    })
    const source = { ...toSource(services, row), ...lastDay(row.id) }
    return {
      data: { source, from: from.toISOString(), to: to.toISOString(), items: rows && byHour(rows) },
    }
  },
})

const byHour = (rows: readonly (Row & { readonly refused_for: string })[]) =>
  [...Map.groupBy(rows, ({ hour }) => hour)].map(([hour, of]) => {
    const refusals = refusalsOf(of)
    return {
      hour,
      accepted: of.find(row => row.refused_for === '')?.requests ?? 0,
      refused: refusals.reduce((sum, { count }) => sum + count, 0),
      refusals,
    }
  })
