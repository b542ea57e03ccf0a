import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { holds } from '../holds.ts'
import type { Beginning, World } from '../world.ts'

interface Points {
  readonly items: readonly { readonly value: number; readonly occurred_at: string }[]
}

/** The point of a value, once the app shows it. */
export const pointOf = ({ person, sources }: World, value: number): Promise<Points['items'][number]> =>
  eventually(`the metric has ${value}`, async () => {
    const { items } = await person.call<Points>('read_metric_points', { metric_id: sources.metric.id })
    return items.find(point => point.value === value) ?? null
  })

export const describeMetricBody = ({ world, early }: Beginning): void => {
  describe('The body of a metric', () => {
    const AT = {
      occurred_at: '2026-01-01T08:00:00.000Z',
      timestamp: '2026-01-02T08:00:00.000Z',
      date: '2026-01-03T00:00:00.000Z',
      time: '2026-01-04T08:00:00.000Z',
    }
    const dated = early(({ measure }) =>
      Promise.all([
        measure({ value: 101, occurred_at: AT.occurred_at }),
        measure({ value: 102, timestamp: AT.timestamp }),
        measure({ value: 103, date: '2026-01-03' }),
        measure({ value: 104, time: AT.time }),
        measure({ value: 105.5, time: Date.parse('2026-01-05T08:00:00Z') / 1000 }),
      ]),
    )
    const undated = early(async ({ measure }) => ({ before: Date.now(), answer: await measure({ value: 106 }) }))

    const refused = async (point: object) => {
      const { status, body } = await world().measure(point)
      assert.equal(status, 422)
      assert.ok(JSON.stringify(body.violations).includes('/value'), JSON.stringify(body))
    }
    const isDated = async (value: number, at: string) => {
      assert.ok(dated().every(({ status }) => status === 200))
      assert.equal((await pointOf(world(), value)).occurred_at, at)
    }

    holds('metric-body-1', () => refused({ date: '2026-01-01' }))
    holds('metric-body-2', () => refused({ value: '7' }))
    holds('metric-body-3', () => isDated(101, AT.occurred_at))
    holds('metric-body-4', () => isDated(102, AT.timestamp))
    holds('metric-body-5', () => isDated(103, AT.date))
    holds('metric-body-6', () => isDated(104, AT.time))
    holds('metric-body-7', () => isDated(105.5, '2026-01-05T08:00:00.000Z'))
    holds('metric-body-8', async () => {
      const { before, answer } = undated()
      assert.equal(answer.status, 200)
      const at = Date.parse((await pointOf(world(), 106)).occurred_at)
      // The clocks are those of one machine.
      assert.ok(at >= before - 1000 && at <= Date.now() + 1000, new Date(at).toISOString())
    })
  })
}
