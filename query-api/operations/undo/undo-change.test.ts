import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { KEPT_TABLES, type KeptTable, keptTable } from '../../../model/undo/changed-rows.ts'
import type { CallResult } from '../call/contract.ts'
import type { Operation } from '../define.ts'
import { registry } from '../registry.ts'
import { type OperationsKit, startOperations, type Workspace } from '../testing.ts'
import { CHANGES, type Changes, prepareChanges } from '../testing-changes.ts'

let kit: OperationsKit
let workspace: Workspace
let changes: Changes
let ids: Changes['ids']
let readAtFirst: string

before(async () => {
  kit = await startOperations()
  workspace = await kit.workspace()
  changes = await prepareChanges(kit, workspace)
  ids = changes.ids
  readAtFirst = await whatReadsAnswer()
})
after(() => kit.stop())

const run = (name: string, input: object): Promise<CallResult> => workspace.run(name, input)
// Answers of every shape, as read from JSON.
const data = ({ data }: CallResult): ReturnType<typeof JSON.parse> => JSON.parse(JSON.stringify(data))
/** As whoever may have made the change: an operation for people is called in the app. */
const undo = async (name: string, change_id: unknown): Promise<CallResult> =>
  registry.get(name)?.audience === 'people'
    ? await workspace.inApp('undo_change', { change_id })
    : await run('undo_change', { change_id })

/** The tables that an undo leaves as they were, whatever is added to the others. */
const tables = (Object.keys(KEPT_TABLES) as KeptTable[]).filter(
  table => keptTable(table).isLog !== true && table !== 'decision_reversals',
)
const EVERY_ROW = tables
  .map(
    table => `
      select '${table} ' || coalesce(to_jsonb(kept) ->> 'id', left((to_jsonb(kept) - 'embedding')::text, 400)) as key,
        (to_jsonb(kept) - '{version,updated_at,changed_at,next_redrive_at}'::text[])::text as row
      from ${table} as kept where workspace_id = $1`,
  )
  .join(' union all ')

/** What every row says, but for versions and times. */
const rowsNow = async (): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await kit.database.pool.query<{ key: string; row: string }>({
    name: 'every row',
    text: EVERY_ROW,
    values: [workspace.id],
  })
  return new Map(rows.map(({ key, row }) => [key, row]))
}

/**
 * What is there beside what was there, or is other than it was. A row that keeps its reference for ever may stay,
 * retired.
 */
const differences = (then: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] => [
  ...[...then].filter(([key, row]) => now.get(key) !== row).map(([key, row]) => `was ${row}, is ${now.get(key)}`),
  ...[...now].flatMap(([key, row]) => {
    const table = key.slice(0, key.indexOf(' ')) as KeptTable
    return then.has(key) || keptTable(table).retire !== undefined ? [] : `new: ${row}`
  }),
]

const READS: readonly (readonly [operation: string, input: () => object])[] = [
  ['lookup_claim', () => ({ id: ids.claim })],
  ['lookup_claim', () => ({ id: ids.apart })],
  ['lookup_signal', () => ({ id: ids.signal })],
  ['lookup_signal', () => ({ id: ids.evidence })],
  ['lookup_solution', () => ({ id: ids.done })],
  ['lookup_solution', () => ({ id: ids.open })],
  ['lookup_outcome', () => ({ id: ids.done })],
  ['lookup_triage', () => ({})],
  ['lookup_proposals', () => ({})],
  ['lookup_group', () => ({})],
  ['lookup_backlog', () => ({})],
  ['orient_strategy', () => ({})],
  ['orient_roadmap', () => ({})],
  ['read_map', () => ({})],
  ['list_sources', () => ({})],
]
/** Of what was decided and when there is more with every change and every undo. */
const GROWS =
  /^(version|decisions?|history|via|key_label|author_name|next_call|.*_at|at|count|.*_on|.*_by|state_since|source|.*evidence_priority|.*score)$/

// A handoff that was withdrawn stays to be read.
const standing = (value: unknown): unknown =>
  Array.isArray(value) ? value.filter(item => (item?.withdrawn_at ?? null) === null) : value

const whatReadsAnswer = async (): Promise<string> => {
  const answers = []
  for (const [name, input] of READS) answers.push([name, data(await run(name, input()))])
  return JSON.stringify(answers, (field, value) => (GROWS.test(field) ? undefined : standing(value)), 1)
}

test('every write is taken back by its change id, or says why it cannot be', () => {
  const tried = new Set(CHANGES.map(([name]) => name))
  const writes = [...registry.values()].filter(({ effect }) => effect !== 'read') as Extract<
    Operation,
    { effect: 'write' | 'destructive' }
  >[]
  const untold = writes
    .filter(
      ({ name, cannotBeUndone, databaseRole }) =>
        databaseRole === undefined && (cannotBeUndone === undefined) !== tried.has(name),
    )
    .map(({ name }) => name)
  assert.deepEqual(untold, [])
  for (const { name, role, databaseRole, cannotBeUndone } of writes) {
    // Whoever may take a change back might have made it.
    if (databaseRole === undefined && cannotBeUndone === undefined) assert.equal(role, 'member', name)
  }
})

for (const [at, [name, inputOf]] of CHANGES.entries()) {
  const action = inputOf.toString().match(/action: '(\w+)'/)?.[1] ?? ''
  test(`${name} ${action} is as if it had not been, once it is undone, and twice changes nothing more (${at})`, async () => {
    const input = await inputOf(changes)
    const then = await rowsNow()
    const { change_id } = (await run(name, input)).meta
    assert.ok(change_id, `${name} answers no change id`)
    // Of a third also that it is done again when the undo is undone: a row comes, changes or goes in one way only.
    const made = at % 3 === 0 ? await rowsNow() : null
    const undone = await undo(name, change_id)
    assert.deepEqual(differences(then, await rowsNow()), [])
    const twice = await undo(name, change_id)
    assert.deepEqual([data(twice).is_changed, twice.meta.change_id], [false, null])
    if (made === null) return
    const again = await undo(name, undone.meta.change_id)
    assert.deepEqual(differences(made, await rowsNow()), [], 'done again')
    await undo(name, again.meta.change_id)
  })
}

test('what reads answer after all of it is what they answered before', async () => {
  const now = await whatReadsAnswer()
  assert.equal(now, readAtFirst)
})
