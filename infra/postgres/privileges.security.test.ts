import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestDatabase } from './testing.ts'

/**
 * What the database itself lets the programs' roles do, read from its catalogue, so that a new table, view, function or
 * role is looked at too.
 */
const db = await startTestDatabase()
after(() => db.stop())

const names = async (select: string): Promise<readonly string[]> =>
  (await db.pool.query<{ name: string }>(select)).rows.map(({ name }) => name)

const OURS = `n.nspname = 'public' and not exists (select from pg_depend d where d.objid = o.oid and d.deptype = 'e')`

test('a function that runs as its owner keeps to its own search path, and is not for everybody', async () => {
  const definers = `from pg_proc o join pg_namespace n on n.oid = o.pronamespace where ${OURS} and o.prosecdef`
  const loose = `select o.proname as name ${definers} and (
    not coalesce(o.proconfig::text, '') ~ 'search_path=[a-z]+, pg_temp' or has_function_privilege('public', o.oid, 'execute'))`
  assert.deepEqual(await names(loose), [])
})

test('a view shows what its reader may see, not what its owner may', async () => {
  const loose = `select o.relname as name from pg_class o join pg_namespace n on n.oid = o.relnamespace
    where ${OURS} and (o.relkind = 'm' or o.relkind = 'v' and not coalesce(o.reloptions::text, '') ~ 'security_invoker=(true|on)')`
  assert.deepEqual(await names(loose), [])
})

/**
 * Of the tables that no workspace owns, the roles that have to do with one: of accounts only the accounts' own, of the
 * key's check the edge's.
 */
const OF_ONE_ROLE = [
  'account_credentials assay_accounts',
  'account_passkeys assay_accounts',
  'account_sessions assay_accounts',
  'account_two_factors assay_accounts',
  'account_users assay_accounts',
  'account_verifications assay_accounts',
  'administration_changes assay_accounts',
  'administrators assay_accounts',
  'installation_key assay_edge',
  'outgoing_mail assay_accounts',
]

test('a table that no workspace owns is guarded, or one role of the programs alone has to do with it', async () => {
  const loose = `select o.relname || ' ' || r.rolname as name
    from pg_class o join pg_namespace n on n.oid = o.relnamespace cross join pg_roles r
    where ${OURS} and o.relkind in ('r', 'p') and not (o.relrowsecurity and o.relforcerowsecurity)
      and r.rolname like 'assay\\_%'
      and (has_table_privilege(r.oid, o.oid, 'delete, truncate')
        or has_any_column_privilege(r.oid, o.oid, 'select, insert, update'))
    order by 1`
  assert.deepEqual(await names(loose), OF_ONE_ROLE)
})

test('no role of the programs can log in, pass by a policy, or make anything', async () => {
  const roles = `from pg_roles where rolname like 'assay\\_%'`
  assert.ok((await names(`select rolname as name ${roles}`)).length >= 6)
  const mighty = `select rolname as name ${roles} and (
    rolsuper or rolbypassrls or rolcanlogin or rolcreaterole or rolcreatedb or rolreplication
    or has_schema_privilege(rolname, 'public', 'create'))`
  assert.deepEqual(await names(mighty), [])
})

test('what everybody may do ends at the use of the schema', async () => {
  const tables = `select o.relname as name from pg_class o join pg_namespace n on n.oid = o.relnamespace
    where ${OURS} and o.relkind in ('r', 'p', 'v', 'S')
      and exists (select from aclexplode(o.relacl) as granted where granted.grantee = 0)`
  assert.deepEqual(await names(tables), [])
  const { rows } = await db.pool.query(`select has_schema_privilege('public', 'public', 'create') as may`)
  assert.deepEqual(rows, [{ may: false }])
})
