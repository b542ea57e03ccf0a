import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type pg from 'pg'
import { newId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { startTestDatabase, type TestDatabase } from './testing.ts'

let db: TestDatabase
let workspaceId: WorkspaceId
before(async () => {
  db = await startTestDatabase()
  const [id] = await db.workspaces(1)
  assert.ok(id)
  workspaceId = id
})
after(() => db.stop())

/** A table whose rows name others of it, and a row of it by its id and the one above. */
interface Tree {
  readonly parent: string
  readonly insert: string
}
const TREES: Readonly<Record<string, Tree>> = {
  map_nodes: {
    parent: 'parent_id',
    insert: `insert into map_nodes (id, workspace_id, parent_id, name)
      select id, $1, above, 'Node ' || id from unnest($2::uuid[], $3::uuid[]) as given (id, above)`,
  },
  claims: {
    parent: 'merged_into',
    insert: `insert into claims (id, workspace_id, merged_into, number, kind, title)
      select id, $1, above, coalesce((select max(number) from claims where workspace_id = $1), 0) + place, 'problem', 'Claim'
      from unnest($2::uuid[], $3::uuid[]) with ordinality as given (id, above, place)`,
  },
}

/** A theme that ended leads straight to one that did not, or is the last: nothing follows it further. */
const NO_CHAINS = ['themes']

/** So many rows, each above the next and the last above the first. */
const circle = (length: number): { readonly ids: string[]; readonly above: string[] } => {
  const ids = Array.from({ length }, () => newId())
  return { ids, above: ids.map((_, at) => ids.at(at - 1) ?? '') }
}

const insert = async (client: Pick<pg.Pool, 'query'>, table: string, ids: readonly string[], above: unknown[]) =>
  client.query(String(TREES[table]?.insert), [workspaceId, ids, above])

describe('No stored row is above itself', () => {
  it('and every table whose rows name others of it is among those that are tried here', async () => {
    const { rows } = await db.pool.query(
      `select distinct conrelid::regclass::text as name from pg_constraint where contype = 'f' and conrelid = confrelid
       and connamespace = 'public'::regnamespace order by 1`,
    )
    assert.deepEqual(
      rows.map(({ name }) => name),
      [...Object.keys(TREES), ...NO_CHAINS].toSorted(),
    )
  })

  for (const [table, { parent }] of Object.entries(TREES)) {
    it(`in ${table}: by no way, whatever writes it`, async () => {
      for (const length of [1, 2, 3, 50]) {
        const { ids, above } = circle(length)
        await assert.rejects(insert(db.pool, table, ids, above), { code: '23514' }, `inserted, ${length}`)
        await insert(db.pool, table, ids, [null, ...above.slice(1)])
        const close = `update ${table} set ${parent} = $2 where id = $1`
        await assert.rejects(db.pool.query(close, [ids[0], ids.at(-1)]), { code: '23514' }, `closed, ${length}`)
      }
    })

    it(`in ${table}: not deeper than its limit, also when what is moved has rows below it`, async () => {
      const most = table === 'claims' ? 1001 : 100
      const chain = circle(most)
      await unchecked(table, client => insert(client, table, chain.ids, [null, ...chain.above.slice(1)]), 'commit')
      const [below] = [newId()]
      await assert.rejects(insert(db.pool, table, [below], [chain.ids.at(-1)]), { code: '23514' })
      if (table === 'claims') return
      const other = circle(2)
      await insert(db.pool, table, other.ids, [null, other.ids[0]])
      const move = `update ${table} set ${parent} = $2 where id = $1`
      await assert.rejects(db.pool.query(move, [other.ids[0], chain.ids.at(-2)]), { code: '23514' })
      await db.pool.query(move, [other.ids[0], chain.ids.at(-3)])
    })
  }
})

describe('A function that recurses in the database', () => {
  it('ends, whatever its table holds', async () => {
    const { rows: functions } = await db.pool.query<{ name: string; returns: string }>(
      `select proname as name, pg_get_function_result(oid) as returns from pg_proc
       where pronamespace = 'public'::regnamespace and prosrc ~* 'with\\s+recursive' and prorettype <> 'trigger'::regtype
         and pg_get_function_identity_arguments(oid) ~ '^\\w+ uuid$'`,
    )
    const { rows: others } = await db.pool.query(
      `select proname from pg_proc where pronamespace = 'public'::regnamespace and prosrc ~* 'with\\s+recursive'
         and prorettype <> 'trigger'::regtype and proname <> all ($1)`,
      [functions.map(({ name }) => name)],
    )
    assert.deepEqual(others, [], 'another one is to be called here by hand')
    assert.ok(functions.length >= 4)
    for (const table of Object.keys(TREES))
      for (const length of [1, 2, 50]) {
        const { ids, above } = circle(length)
        await unchecked(table, async client => {
          await insert(client, table, ids, above)
          for (const { name } of functions) {
            // A walk that did not end would fill more than these rows; where it has one row, it answers at all.
            const { rows } = await client.query(`select * from ${name}($1) limit 1000`, [ids[0]])
            assert.ok(rows.length <= length + 1, `${name} on a circle of ${length} in ${table}`)
          }
        })
      }
  })
})

/** A transaction behind the back of triggers and checks. */
const unchecked = async (
  table: string,
  work: (client: pg.PoolClient) => Promise<unknown>,
  end: 'commit' | 'rollback' = 'rollback',
): Promise<void> => {
  const client = await db.pool.connect()
  try {
    await client.query('begin')
    if (end === 'rollback')
      for (const check of await checksOf(client, table))
        await client.query(`alter table ${table} drop constraint ${check}`)
    await client.query('set local session_replication_role = replica')
    await work(client)
    await client.query(end)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const checksOf = async (client: Pick<pg.Pool, 'query'>, table: string): Promise<string[]> => {
  const { rows } = await client.query(
    `select conname from pg_constraint where contype = 'c' and conrelid = $1::regclass`,
    [table],
  )
  return rows.map(({ conname }) => conname)
}
