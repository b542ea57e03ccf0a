import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACTIVITY_KINDS } from '../../schemas/events/activity.ts'
import { METRIC_NAMES } from './activity-question.ts'
import { FIELDS_BESIDE_KIND, KINDS_OF_METRICS, kindsWithField, unansweredPart } from './fields-of-kinds.ts'

const only = (kind: string) => ({ field: 'kind', op: 'in', values: [kind] }) as const

test('each field of each kind of event is known, or a question about it is refused with the kinds that have it', () => {
  for (const kind of ACTIVITY_KINDS) {
    for (const field of FIELDS_BESIDE_KIND) {
      const having = kindsWithField(field)
      const byGroup = unansweredPart({ filters: [only(kind)], groupBy: [field], metrics: ['count'] })
      const filter = { field, op: 'in', values: ['any'] } as const
      const byFilter = unansweredPart({ filters: [only(kind), filter], groupBy: [], metrics: ['count'] })
      if (having.includes(kind)) assert.deepEqual([byGroup, byFilter], [null, null], `${kind} ${field}`)
      else {
        const refused = { name: field, kinds: [kind], having }
        assert.deepEqual(
          [byGroup, byFilter],
          [
            { part: 'group_by', ...refused },
            { part: 'filters', ...refused },
          ],
        )
      }
    }
    for (const metric of METRIC_NAMES) {
      const measured = unansweredPart({ filters: [only(kind)], groupBy: [], metrics: [metric] })
      assert.equal(measured === null, KINDS_OF_METRICS[metric].includes(kind), `${kind} ${metric}`)
    }
  }
})

test('fields that no kind has together are refused, and a filter for what has none is not', () => {
  const tool = { field: 'tool', op: 'in', values: ['service_orient'] } as const
  const step = { field: 'step', op: 'contains', values: ['ins'] } as const
  assert.equal(unansweredPart({ filters: [tool, step], groupBy: [], metrics: ['count'] })?.name, 'step')
  const without = { ...step, op: 'not_in' } as const
  assert.equal(unansweredPart({ filters: [tool, without], groupBy: [], metrics: ['count'] }), null)
})
