import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { FIELD_NAMES, FILTER_OPERATORS } from '../../../model/activity/activity-question.ts'
import { MAX_FILTER_CHARACTERS, MAX_FILTER_VALUES, MAX_FILTERS } from '../../../schemas/domain/limits.ts'
import type { Workspace } from '../testing.ts'
import { type ActivityKit, startOperationsWithActivity } from '../testing-activity.ts'

let kit: ActivityKit
let workspace: Workspace
before(async () => {
  kit = await startOperationsWithActivity()
  workspace = await kit.workspace()
  await kit.record(workspace.id, { step: 'insert', outcome: 'next' })
})
after(() => kit.stop())

/** The code of what was said, and its violations; `answered` when the question was. */
const saidTo = async (input: object): Promise<string> => {
  try {
    await workspace.call('service_analyze', 'activity', input)
    return 'answered'
  } catch (error) {
    return isAssayError(error) ? `${error.code} ${JSON.stringify(error.violations)}` : String(error)
  }
}

const MAX_VALUE = 300
/** Signs that grow most where a statement quotes them, and those that have most bytes. */
const SIGNS = ['x', "'", '\\', '漢', '\u{1f600}']

const filtersOf = (field: string, op: string, count: number, values: number, sign: string, characters: number) =>
  Array.from({ length: count }, () => ({
    field,
    op,
    values: Array.from({ length: values }, () => sign.repeat(Math.floor(characters / sign.length))),
  }))

test('filters of all the characters that are allowed are answered or refused in words', async () => {
  for (const sign of SIGNS) {
    for (const op of sign === "'" ? FILTER_OPERATORS : (['contains'] as const)) {
      const each = Math.floor(MAX_FILTER_CHARACTERS / MAX_FILTERS)
      const many = filtersOf('reason', op, MAX_FILTERS, Math.ceil(each / MAX_VALUE), sign, 250)
      const one = filtersOf('reason', op, 1, Math.floor(MAX_FILTER_CHARACTERS / 250), sign, 250)
      for (const filters of [many, one]) {
        const said = await saidTo({ filters })
        assert.match(said, op === 'contains' ? /^answered$/ : /^(answered|invalid_input)/, `${op} ${sign}: ${said}`)
      }
    }
  }
})

test('filters of more are refused with what is allowed, in every field and by every operator', async () => {
  for (const field of FIELD_NAMES) {
    for (const op of FILTER_OPERATORS) {
      const filters = filtersOf(field, op, MAX_FILTERS, MAX_FILTER_VALUES, 'x', MAX_VALUE)
      const said = await saidTo({ filters, group_by: ['kind'] })
      assert.match(said, /^invalid_input .*"\/filters".*at most 20000 are allowed/, `${field} ${op}`)
    }
  }
  for (const question of ['trending', 'latency']) {
    const filters = filtersOf('reason', 'contains', MAX_FILTERS, MAX_FILTER_VALUES, 'x', MAX_VALUE)
    assert.match(await saidTo({ question, filters }), /^invalid_input/, question)
  }
})
