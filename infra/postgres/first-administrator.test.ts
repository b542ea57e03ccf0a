import assert from 'node:assert/strict'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { migratePostgres } from './migrate.ts'
import { startTestDatabase } from './testing.ts'
import { silentLogger } from './testing-template.ts'

const SCHEMAS = new URL('../../schemas/postgres/', import.meta.url)

test('an upgrade makes the earliest account that owns a workspace the administrator, and keeps all the others', async t => {
  const { pool, stop } = await startTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'assay-migrations-'))
  t.after(async () => {
    await stop()
    await rm(folder, { recursive: true })
  })
  for (const name of await readdir(SCHEMAS)) {
    if (name < '0039') await copyFile(new URL(name, SCHEMAS), join(folder, name))
  }
  await pool.query('drop schema public cascade; create schema public')
  await migratePostgres(pool, { logger: silentLogger, folder: pathToFileURL(`${folder}/`) })
  await pool.query(`
    insert into account_users (id, name, email, created_at)
    select gen_random_uuid(), name, name || '@example.com', now() - days * interval '1 day'
    from (values ('viewer', 9), ('owner', 8), ('later', 7)) as people (name, days);
    insert into tenants (id, name) values ('00000000-0000-4000-8000-000000000001', 'T');
    insert into workspaces (id, tenant_id, slug, name)
    values ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001', 'w', 'W');
    insert into members (workspace_id, user_id, role)
    select '00000000-0000-4000-8000-000000000002', id, case name when 'viewer' then 'viewer' else 'owner' end
    from account_users`)
  await migratePostgres(pool, { logger: silentLogger })
  const { rows } = await pool.query(
    `select name, exists (select from administrators where user_id = id) as administers from account_users order by name`,
  )
  assert.deepEqual(
    rows.map(({ name, administers }) => [name, administers]),
    [
      ['later', false],
      ['owner', true],
      ['viewer', false],
    ],
  )
  const { rows: changes } = await pool.query('select account_name, by_name from administration_changes')
  assert.deepEqual(changes, [{ account_name: 'owner', by_name: 'the installation' }])
})
