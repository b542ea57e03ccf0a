import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SERVICES, service } from './testing.ts'

/** What a service may do of what root may, and why. All else is dropped. */
const RIGHTS: Readonly<Record<string, readonly string[]>> = {
  // Ports 80 and 443.
  proxy: ['NET_BIND_SERVICE'],
  // Port 80.
  embeddings: ['NET_BIND_SERVICE'],
}

/** Services whose file system stays writable: their images write beside their data when they start. */
const WRITABLE = ['clickhouse', 'embeddings', 'kafka', 'registry']

test('every service, engines too, has the rights that are named here and no others', () => {
  for (const [name, { cap_drop, cap_add = [], security_opt, privileged }] of SERVICES) {
    assert.deepEqual(cap_drop, ['ALL'], name)
    assert.deepEqual(cap_add, RIGHTS[name] ?? [], name)
    assert.deepEqual(security_opt, ['no-new-privileges:true'], name)
    assert.equal(privileged, undefined, name)
  }
})

test('every file system is read-only but those that are named here', () => {
  const writable = [...SERVICES].filter(([, { read_only = false }]) => !read_only).map(([name]) => name)
  assert.deepEqual(writable.sort(), WRITABLE)
})

test('no container gets the engine’s socket or the host’s folders, but for files of this folder to read', () => {
  for (const [name, { volumes = [] }] of SERVICES) {
    for (const volume of volumes)
      assert.match(volume, /^([a-z-]+:\/|\.\/[\w./-]+:\/[\w./-]+:ro$)/, `${name}: ${volume}`)
  }
})

test('the database’s superuser is no user of the programs', () => {
  const { environment = {}, volumes = [] } = service('postgres')
  assert.equal(environment.POSTGRES_USER, undefined)
  assert.ok(volumes.some(volume => volume.startsWith('./postgres/application-role.sql:/docker-entrypoint-initdb.d/')))
  for (const program of ['migrate', 'ingest', 'processors', 'query-api'])
    assert.match(String(service(program).environment?.DATABASE_URL), /^postgres:\/\/assay:/)
})
