import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { PSQL } from '../../infra/stack/postgres.ts'
import { describeWithStack } from '../../infra/stack/testing.ts'
import { type Installation, startInstallation } from '../support/installation.ts'
import { describeJourney } from './scenarios/journey.ts'

const SCRIPT = fileURLToPath(new URL('../../infra/deploy/postgres/application-role.sql', import.meta.url))
const directory = await mkdtemp(join(tmpdir(), 'assay-role-'))

const asked = async (url: string, ...statements: readonly string[]): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const results = []
    for (const statement of statements) results.push(await client.query(statement))
    return results.at(-1) ?? assert.fail('nothing was asked')
  } finally {
    await client.end()
  }
}

/** compose.yaml's script runs here as its image would run it, on a server of which nothing else is known. */
await describeWithStack(
  ['postgres'],
  stack => {
    const given = stack.urls.DATABASE_URL ?? ''
    const urlOf = (user: string, password: string, database = 'assay'): string => {
      const url = new URL(given)
      url.username = user
      url.password = password
      url.pathname = `/${database}`
      return url.href
    }
    const application = urlOf('assay', 'of the application')

    before(async () => {
      await asked(given, `create role postgres login superuser password 'of the superuser'`)
      const superuser = urlOf('postgres', 'of the superuser', 'postgres')
      await asked(superuser, 'alter role assay rename to first', 'drop database assay', 'create database assay')
      const connection = ['--host=127.0.0.1', `--port=${new URL(given).port}`, '--username=postgres', '--dbname=assay']
      await promisify(execFile)(
        join(directory, PSQL),
        ['--set=ON_ERROR_STOP=1', '--no-password', '--no-psqlrc', ...connection, `--file=${SCRIPT}`],
        { env: { ...process.env, PGPASSWORD: 'of the superuser', POSTGRES_PASSWORD: 'of the application' } },
      )
    })
    after(() => stack.stop())

    it('the role that the programs log in as is no superuser and sees nothing past row-level security', async () => {
      const { rows } = await asked(
        application,
        'select rolsuper, rolbypassrls, rolcreatedb, rolreplication from pg_roles where rolname = current_user',
      )
      assert.deepEqual(rows, [{ rolsuper: false, rolbypassrls: false, rolcreatedb: false, rolreplication: false }])
    })

    for (const [what, statement] of [
      ['read files of the server', `select pg_read_file('/etc/passwd')`],
      ['run programs on the server', `copy (select 1) to program 'true'`],
      ['load code into the server', `create function f() returns int language c as '/lib/x.so', 'f'`],
      ['make itself a superuser', 'alter role assay superuser'],
      ['read passwords', 'select rolpassword from pg_authid'],
    ] as const) {
      it(`it may not ${what}`, () => assert.rejects(asked(application, statement), { code: '42501' }))
    }

    it('the superuser cannot log in over the network any more', () =>
      assert.rejects(asked(urlOf('postgres', 'of the superuser')), { code: '28P01' }))

    describe('An installation as that role', () => {
      let installation: Installation
      before(async () => {
        installation = await startInstallation({ DATABASE_URL: application }, { fromNothing: true })
      })
      after(() => installation?.remove())
      describeJourney(() => installation)
    })
  },
  { directory },
)
