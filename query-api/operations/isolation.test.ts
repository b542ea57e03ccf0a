import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AssayError, isAssayError } from '../../infra/runtime/errors.ts'
import { newId } from '../../schemas/domain/ids.ts'
import type { Operation } from './define.ts'
import { registry } from './registry.ts'
import { type OperationsKit, startOperations, type Workspace } from './testing.ts'
import { idFieldsOf, inputsThatReach, type OwnIds } from './testing-reach.ts'
import { everythingOf, idsOf } from './testing-rows.ts'
import { seedEverything } from './testing-seed.ts'

/** No text of the stranger's own has it. */
const SECRET = 'xylophone'

let kit: OperationsKit
let other: Workspace
let stranger: Workspace
let own: OwnIds
/** An id of each table of the other workspace. */
let foreign: readonly (readonly [table: string, id: string])[]
let untouched: string

before(async () => {
  kit = await startOperations()
  // Whoever administers the installation is known to everybody; it is neither of the two.
  await kit.database.pool.query(
    `insert into account_users (id, name, email) values (gen_random_uuid(), 'Administrator', 'administrator@example.com')`,
  )
  other = await kit.workspace()
  stranger = await kit.workspace()
  await seedEverything(kit, other, SECRET)
  await seedEverything(kit, stranger, 'harmonica')
  own = Object.fromEntries(await idsOf(kit, stranger))
  foreign = await idsOf(kit, other)
  untouched = await everythingOf(kit, other)
})
after(() => kit.stop())

const refusal = async (operation: Operation, input: Readonly<Record<string, unknown>>): Promise<AssayError> => {
  try {
    await stranger.run(operation, input)
  } catch (error) {
    assert.ok(isAssayError(error), String(error))
    return error
  }
  assert.fail(`${operation.name} took ${JSON.stringify(input)}`)
}

/** What is said of an id, without the id. */
const said = ({ code, publicMessage, context, violations }: AssayError, id: string): string =>
  JSON.stringify({ code, publicMessage, context, violations }).replaceAll(id, 'the id')

/** What an administrator does concerns every workspace. */
const ofOneWorkspace = [...registry.values()].filter(({ role }) => role !== 'administrator')

for (const operation of ofOneWorkspace) {
  for (const field of idFieldsOf(operation)) {
    test(`${operation.name} says the same of another workspace’s ids in ${field.path} as of an id that is nobody’s`, async () => {
      const unknown = newId()
      const inputs = await inputsThatReach({ operation, field, id: unknown, own, refusal })
      assert.ok(inputs.length > 0, `no input of ${operation.name} looks the id in ${field.path} up`)
      for (const input of inputs) {
        const expected = said(await refusal(operation, input(unknown)), unknown)
        assert.match(expected, /"code":"not_found"/)
        for (const [table, id] of foreign) {
          assert.equal(said(await refusal(operation, input(id)), id), expected, `an id of ${table}`)
        }
      }
    })
  }
}

for (const operation of ofOneWorkspace) {
  const required = operation.input.required ?? []
  if (operation.effect !== 'read' || !required.every(field => field === 'query')) continue
  test(`${operation.name} shows nothing of another workspace unasked`, async () => {
    const input = required.includes('query') ? { query: `the ${SECRET}` } : {}
    const answered = await stranger.run(operation, input).catch((error: unknown) => {
      assert.ok(isAssayError(error) && error.code === 'not_found', String(error))
      return { publicMessage: error.publicMessage.replaceAll(input.query ?? '', ''), context: error.context }
    })
    const text = JSON.stringify(answered)
    assert.ok(!text.includes(SECRET), text)
    for (const [table, id] of foreign) assert.ok(!text.includes(id), `an id of ${table}`)
  })
}

test('what a stranger tried changed nothing of the other workspace', async () => {
  assert.equal(await everythingOf(kit, other), untouched)
})
