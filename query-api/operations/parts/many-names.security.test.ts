import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { watchStatements } from '../../../infra/postgres/testing.ts'
import { InvalidArguments } from '../call/contract.ts'
import { type OperationsKit, startOperations, type Workspace } from '../testing.ts'
import { MAX_LOOKED_UP } from './filters.ts'

let statements = 0
let kit: OperationsKit
let workspace: Workspace
before(async () => {
  kit = await startOperations(undefined, {
    through: own =>
      watchStatements(own, () => {
        statements += 1
      }),
  })
  workspace = await kit.workspace()
  const signal = await workspace.signal({ text: 'It fails' })
  await workspace.claim('Failures', [signal])
})
after(() => kit.stop())

const filters = (count: number, values: readonly string[]) =>
  Array.from({ length: count }, () => ({ field: 'claim', op: 'in', values }))
/** References that are all of one claim, and different names. */
const names = (count: number) => Array.from({ length: count }, (_, at) => `CLM-${'0'.repeat(at % 8)}1${' '.repeat(at)}`)

const CALLS = {
  analyze_activity: (given: object) => workspace.run('analyze_activity', { filters: given }),
  lookup_search: (given: object) => workspace.run('lookup_search', { query: 'fails', filters: given }),
}

for (const [operation, call] of Object.entries(CALLS)) {
  test(`${operation} looks up ${MAX_LOOKED_UP} names in all filters together, and no more`, async () => {
    await assert.rejects(call([...filters(1, names(60)), ...filters(1, names(101).slice(60))]), error => {
      assert.ok(error instanceof InvalidArguments)
      assert.match(error.publicMessage, /name 101 claims.*at most 100 are allowed/)
      return true
    })
    statements = 0
    await call(filters(1, names(MAX_LOOKED_UP)))
    assert.ok(statements > MAX_LOOKED_UP && statements < 4 * MAX_LOOKED_UP, `${statements} statements`)
    // The same again is no further name.
    await call(filters(10, names(5)))
  })
}
