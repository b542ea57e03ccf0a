import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Scope } from './port.ts'
import { startTestDatabase } from './testing.ts'

/**
 * Every table with a `workspace_id` is taken from the database itself, so a new one without a guard fails here. A row
 * is put into each with checks and foreign keys off: what is tested is who sees and writes it, not what it means.
 */
const db = await startTestDatabase()
after(() => db.stop())
const [ours, theirs] = await db.workspaces(2)
assert.ok(ours && theirs)

interface Column {
  readonly table_name: string
  readonly column_name: string
  readonly type: string
}

const { rows: columns } = await db.pool.query<Column>(`
  select c.relname as table_name, a.attname as column_name, format_type(a.atttypid, a.atttypmod) as type
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    and a.attgenerated = '' and a.attidentity = '' and (a.attnotnull and not a.atthasdef or a.attname = 'workspace_id')
    and exists (select from pg_attribute w where w.attrelid = c.oid and w.attname = 'workspace_id')
  order by c.relname, a.attnum`)
const tables = [...new Set(columns.map(column => column.table_name))]

const SAMPLES: readonly (readonly [RegExp, (unique: string) => string])[] = [
  [/^uuid$/, () => 'gen_random_uuid()'],
  [/^(integer|smallint|bigint|real|double precision|numeric)/, () => 'floor(random() * 1000000)'],
  [/^(text|character)/, unique => `'${unique}'`],
  [/^timestamp/, () => 'now()'],
  [/^bytea$/, () => "decode(md5(random()::text), 'hex')"],
  [/^boolean$/, () => 'false'],
  [/^jsonb?$/, () => "'{}'"],
  [/^vector\(/, () => 'array_fill(1, array[1024])::vector'],
  [/\[\]$/, () => "'{}'"],
]

/** A statement that adds a row of the table to a workspace, with something in each column that must have a value. */
const insertion = (table: string, workspaceId: WorkspaceId): string => {
  const own = columns.filter(column => column.table_name === table)
  const values = own.map(({ column_name: name, type }) => {
    if (name === 'workspace_id') return `'${workspaceId}'`
    const sample = SAMPLES.find(([pattern]) => pattern.test(type))
    assert.ok(sample, `there is no sample for ${table}.${name}, a ${type}`)
    return sample[1]('x')
  })
  return `insert into ${table} (${own.map(column => column.column_name).join(', ')}) values (${values.join(', ')})`
}

/** Constraints and foreign keys would ask for a whole world around each row. */
const { rows: constraints } = await db.pool.query<{ statement: string }>(`
  select format('alter table %s drop constraint %I cascade', conrelid::regclass, conname) as statement
  from pg_constraint where connamespace = 'public'::regnamespace and contype in ('c', 'f')`)
for (const { statement } of constraints) await db.pool.query(statement)

const scopes: readonly Scope[] = [
  { role: 'assay_app', workspaceId: ours },
  { role: 'assay_pipeline', workspaceIds: [ours] },
  { role: 'assay_transfer', workspaceId: ours },
]
const noScopes: readonly Scope[] = [{ role: 'assay_pipeline', workspaceIds: [] }]

const may = async (role: string, table: string, privilege: string): Promise<boolean> => {
  const { rows } = await db.pool.query<{ allowed: boolean }>('select has_table_privilege($1, $2, $3) as allowed', [
    role,
    table,
    privilege,
  ])
  return rows[0]?.allowed ?? false
}

/** The workspaces whose rows a scope sees. */
const visible = async (scope: Scope, table: string): Promise<string[]> => {
  const rows = await db.database.transaction(scope, tx =>
    tx.query<{ workspace_id: string }>(`select distinct workspace_id::text from ${table}`),
  )
  return rows.map(row => row.workspace_id)
}

const REFUSED = /row-level security/

test('the tables of this test are those of the schema', () => {
  for (const known of ['signals', 'claims', 'solutions', 'mcp_keys', 'outbox', 'dead_letters'])
    assert.ok(tables.includes(known), known)
})

for (const table of tables) {
  test(`${table}: another workspace’s rows cannot be seen, written, changed, taken over or removed`, async () => {
    for (const workspaceId of [ours, theirs]) await db.pool.query(insertion(table, workspaceId))
    const { rows: before } = await db.pool.query(`select * from ${table} where workspace_id = $1`, [theirs])

    for (const scope of scopes) {
      if (await may(scope.role, table, 'select')) {
        assert.deepEqual(await visible(scope, table), [ours], scope.role)
        for (const none of noScopes) if (none.role === scope.role) assert.deepEqual(await visible(none, table), [])
      }
      if (await may(scope.role, table, 'insert'))
        await assert.rejects(
          db.database.transaction(scope, tx => tx.query(insertion(table, theirs))),
          error => error instanceof Error && error.cause instanceof Error && REFUSED.test(error.cause.message),
          `${scope.role} could insert`,
        )
      if (await may(scope.role, table, 'update')) {
        await db.database.transaction(scope, tx =>
          tx.query(`update ${table} set workspace_id = workspace_id where workspace_id = $1`, [theirs]),
        )
        await assert.rejects(
          db.database.transaction(scope, tx => tx.query(`update ${table} set workspace_id = $1`, [theirs])),
          error => error instanceof Error && error.cause instanceof Error && REFUSED.test(error.cause.message),
          `${scope.role} could give its rows away`,
        )
      }
      if (await may(scope.role, table, 'delete'))
        await db.database.transaction(scope, tx => tx.query(`delete from ${table} where workspace_id = $1`, [theirs]))
    }

    const { rows: afterwards } = await db.pool.query(`select * from ${table} where workspace_id = $1`, [theirs])
    assert.deepEqual(afterwards, before)
  })

  test(`${table}: row-level security is forced, on its owner as well`, async () => {
    const { rows } = await db.pool.query(
      'select relrowsecurity, relforcerowsecurity from pg_class where oid = $1::regclass',
      [table],
    )
    assert.deepEqual(rows, [{ relrowsecurity: true, relforcerowsecurity: true }])
  })
}

test('a role without any scope sees nothing', async () => {
  for (const role of ['assay_app', 'assay_pipeline', 'assay_transfer'])
    for (const table of tables) {
      if (!(await may(role, table, 'select'))) continue
      const client = await db.pool.connect()
      try {
        await client.query(`begin; set local role ${role}`)
        const { rows } = await client.query(`select count(*) as seen from ${table}`)
        assert.deepEqual(rows, [{ seen: 0 }], `${role} sees ${table}`)
      } finally {
        await client.query('rollback')
        client.release()
      }
    }
})

test('the pipeline sees the workspaces of its batch, all of them', async () => {
  const batch: Scope = { role: 'assay_pipeline', workspaceIds: [ours, theirs] }
  assert.deepEqual((await visible(batch, 'signals')).sort(), [ours, theirs].sort())
})

test('the roles of other programs cannot read evidence at all', async () => {
  for (const role of ['assay_accounts', 'assay_edge'])
    for (const table of [
      'signals',
      'signal_vectors',
      'claims',
      'claim_evidence',
      'solutions',
      'decisions',
      'dead_letters',
    ])
      assert.equal(await may(role, table, 'select'), false, `${role} may read ${table}`)
})
