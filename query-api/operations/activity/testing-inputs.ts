import fc from 'fast-check'
import {
  FIELD_NAMES,
  FILTER_OPERATORS,
  GRANULARITY_NAMES,
  METRIC_NAMES,
} from '../../../model/activity/activity-question.ts'

const HOSTILE = [
  `' OR workspace_id != '`,
  `') OR 1 = 1 --`,
  '{workspace: UUID}',
  '\\',
  "\\' OR 1 = 1 OR '",
  '\u0000',
  '%',
  '`activity`',
  '; SELECT * FROM activity',
  '\ud800',
]
const hostile = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 40 }))

/** Inputs whose words are of the vocabulary, or what `wordOf` makes of it; the values of filters are always hostile. */
const inputs = (wordOf: (values: readonly string[]) => fc.Arbitrary<string>) => {
  const several = (values: readonly string[]) => fc.uniqueArray(wordOf(values), { minLength: 1, maxLength: 4 })
  const filter = fc.record({
    field: wordOf(FIELD_NAMES),
    op: wordOf(FILTER_OPERATORS),
    values: fc.array(fc.oneof(hostile, fc.constant('own')), { minLength: 1, maxLength: 3 }),
  })
  const time = fc.record(
    {
      from: wordOf(['2026-01-01', '2026-05-31T10:00:00Z']),
      to: wordOf(['2026-07-01', '2026-06-01T11:59:59Z']),
      granularity: wordOf(GRANULARITY_NAMES),
      time_zone: wordOf(['UTC', 'Europe/Berlin', 'Asia/Kolkata']),
    },
    { requiredKeys: [] },
  )
  const page = { format: wordOf(['items', 'csv']), limit: fc.constantFrom(1, 100) }
  const split = { group_by: several(FIELD_NAMES), filters: fc.array(filter, { maxLength: 2 }) }
  const optional = { requiredKeys: [] }
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record(
        { metrics: several(METRIC_NAMES), time, compare: fc.boolean(), ...split, ...page },
        optional,
      ),
    },
    { weight: 1, arbitrary: fc.record({ question: wordOf(['trending', 'latency']), ...split, ...page }) },
    { weight: 1, arbitrary: fc.record({ question: wordOf(['funnel', 'sources']), ...page }) },
    {
      weight: 1,
      arbitrary: fc.record({ order: fc.record({ by: wordOf([...METRIC_NAMES, 'period']) }), time, ...page }),
    },
    { weight: 1, arbitrary: fc.record({ cursor: hostile, ...page }) },
  )
}

/** Inputs of `analyze_activity`: one that it takes but for hostile values, or one that may be hostile anywhere. */
export const anyActivityInput = fc.oneof(
  { weight: 3, arbitrary: inputs(values => fc.constantFrom(...values)) },
  {
    weight: 1,
    arbitrary: inputs(values =>
      fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: hostile }),
    ),
  },
)
