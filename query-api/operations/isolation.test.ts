import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AssayError, isAssayError } from '../../infra/runtime/errors.ts'
import { newId } from '../../schemas/domain/ids.ts'
import type { Operation } from './define.ts'
import { registry } from './registry.ts'
import { type OperationsKit, startOperations, type Workspace } from './testing.ts'
import { idFieldsOf, inputsThatReach, type OwnIds } from './testing-reach.ts'
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
  own = Object.fromEntries(await idsOf(stranger))
  foreign = await idsOf(other)
  untouched = await everythingOf(other)
})
after(() => kit.stop())

/** The tables that belong to workspaces, taken from the database itself. */
const tablesWith = async (column: string): Promise<string[]> => {
  const { rows } = await kit.database.pool.query(
    `select w.table_name from information_schema.columns w
     where w.table_schema = 'public' and w.column_name = 'workspace_id' and exists (
       select from information_schema.columns c
       where c.table_schema = 'public' and c.table_name = w.table_name and c.column_name = $1
         and (c.data_type = 'uuid' or $1 = 'workspace_id'))
     order by 1`,
    [column],
  )
  return rows.map(row => row.table_name)
}

const idsOf = async ({ id: workspaceId }: Workspace): Promise<[string, string][]> => {
  const found: [string, string][] = [['workspaces', workspaceId]]
  const columns = [...(await tablesWith('id')).map(table => [table, 'id']), ['dead_letters', 'signal_id']]
  for (const [table = '', column] of columns) {
    // The newest: what waits is younger than what was decided.
    const select = `select ${column} as id from ${table} where workspace_id = $1 order by id desc limit 1`
    const { rows } = await kit.database.pool.query<{ id: string }>(select, [workspaceId])
    assert.ok(rows[0], `the seed puts nothing into ${table}`)
    found.push([table, rows[0].id])
  }
  return found
}

const everythingOf = async ({ id: workspaceId }: Workspace): Promise<string> => {
  const parts: string[] = []
  for (const table of await tablesWith('workspace_id')) {
    const select = `select coalesce(string_agg(t::text, ' ' order by t::text), '') as rows from ${table} t where workspace_id = $1`
    const { rows } = await kit.database.pool.query(select, [workspaceId])
    parts.push(`${table}: ${rows[0].rows}`)
  }
  return parts.join('\n')
}

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
    test(`${operation.name} says the same of another workspace’s ids in ${field.name} as of an id that is nobody’s`, async () => {
      const unknown = newId()
      const inputs = await inputsThatReach({ operation, field, id: unknown, own, refusal })
      assert.ok(inputs.length > 0, `no input of ${operation.name} looks the id in ${field.name} up`)
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
  assert.equal(await everythingOf(other), untouched)
})
