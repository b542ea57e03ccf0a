import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startEmbeddedForTests, type TestServer, withPool } from '../infra/postgres/testing-embedded.ts'
import { assay } from '../test/support/assay.ts'

/** Every command that reads a database, with what it cannot do without. */
const COMMANDS = [
  ['account', 'list'],
  ['key', 'status'],
  ['incident'],
  ['provisioning-key', '--owner', 'ann@example.com'],
  ['erasures', 'save', tmpdir()],
  ['ledger'],
]

describe('The commands of an operator', () => {
  let server: TestServer
  let environment: Readonly<Record<string, string>>
  before(async () => {
    server = await startEmbeddedForTests()
    const { host, port, user, database } = server.connection as Record<string, string>
    environment = {
      DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host ?? '')}`,
      CLICKHOUSE_URL: 'http://127.0.0.1:1/assay',
      INSTALLATION_KEY: randomBytes(32).toString('base64'),
    }
  })
  after(() => server.stop())

  it('say what of the system refused the connection, and where', async () => {
    const { code, stdout, stderr } = await assay(['ledger'], environment)
    assert.deepEqual([code, stdout], [1, ''], 'no ledger of a store that was not asked')
    assert.equal(stderr, 'The analytics database is unavailable. The system says: connect ECONNREFUSED 127.0.0.1:1.\n')
    const elsewhere = { ...environment, DATABASE_URL: 'postgres://assay:hush@127.0.0.1:1/assay' }
    const away = await assay(['account', 'list'], elsewhere)
    assert.equal(away.stderr, 'The database is unavailable. The system says: connect ECONNREFUSED 127.0.0.1:1.\n')
  })

  it('say where a link leads when nobody has said where people reach Assay', async () => {
    const email = 'ann@example.com'
    const insert = `insert into account_users (id, name, email) values (gen_random_uuid(), 'Ann', '${email}')`
    await withPool(server.connection, pool => pool.query(insert))
    const words = ['account', 'reset-link', '--email', email]
    const guessed = await assay(words, { ...environment, PORT: '21000' })
    assert.match(guessed.stdout, /^http:\/\/localhost:21000\/reset-password#/)
    assert.match(guessed.stdout, /It leads to http:\/\/localhost:21000, as BASE_URL is not set here\./)
    const known = await assay(words, { ...environment, BASE_URL: 'https://assay.example.com' })
    assert.match(known.stdout, /^https:\/\/assay\.example\.com\/reset-password#/)
    assert.doesNotMatch(known.stdout, /BASE_URL/)
  })

  it('say that nobody has migrated the database', async () => {
    await withPool(server.connection, pool => pool.query('drop table schema_migrations'))
    for (const command of COMMANDS) {
      const { code, stdout, stderr } = await assay(command, environment)
      assert.deepEqual([code, stdout], [1, ''], command.join(' '))
      assert.match(
        stderr,
        /^The database lacks the migrations from 0001_roles\.sql on, \d+ in all\. Run `assay migrate`\.\n$/,
        command.join(' '),
      )
    }
  })
})

describe('A folder that is not there', () => {
  it('does not get a file of its name: a disk may not be mounted', async () => {
    const folder = join(tmpdir(), `assay-not-there-${process.pid}`)
    for (const [words, ending] of [
      [['backup', folder], '.backup'],
      [['backup', `${folder}/`], '.backup'],
      [['erasures', 'save', folder], '.erasures'],
    ] as const) {
      const { code, stderr } = await assay([...words], { DATA_DIR: folder })
      assert.equal(code, 1)
      assert.equal(stderr, `${folder} is not there. Make the folder, or name a file that ends in ${ending}.\n`)
    }
  })

  it('is told from one that is there: of what is in it a restore takes the backup that it is given', async t => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-backups-'))
    t.after(() => rm(folder, { recursive: true }))
    for (const day of ['23', '24']) await writeFile(join(folder, `assay-2026-11-${day}.backup`), '')
    const { code, stderr } = await assay(['restore', folder], { DATA_DIR: join(folder, 'data') })
    assert.equal(code, 1)
    const newest = join(folder, 'assay-2026-11-24.backup')
    assert.equal(stderr, `${folder} is a folder: name the backup to restore. The newest in it is ${newest}.\n`)
  })
})
