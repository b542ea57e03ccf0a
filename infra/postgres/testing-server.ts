import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { makeTemplate, type TestServer, templateHash, withPool } from './testing-template.ts'

const PREFIX = 'assay_test_template_'
/** Test files of several processes take turns at templates. */
const LOCK = 4_410_729_355

const databaseOf = (url: string, name: string): string => {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}

const templatesOn = async (pool: pg.Pool): Promise<{ name: string; finished: boolean }[]> => {
  const { rows } = await pool.query<{ name: string; finished: boolean }>(
    'select datname as name, datistemplate as finished from pg_database where starts_with(datname, $1)',
    [PREFIX],
  )
  return rows
}

const remove = async (pool: pg.Pool, name: string): Promise<void> => {
  await pool.query(`alter database ${name} is_template false`)
  await pool.query(`drop database ${name} with (force)`)
}

/** The database to copy, made once for these migrations. Those of others, and one that was never finished, go. */
const prepareTemplate = async (pool: pg.Pool, url: string): Promise<string> => {
  const template = `${PREFIX}${await templateHash()}`
  let isThere = false
  for (const { name, finished } of await templatesOn(pool)) {
    if (name === template && finished) isThere = true
    else await remove(pool, name)
  }
  if (isThere) return template
  await pool.query(`create database ${template}`)
  await makeTemplate(databaseOf(url, template))
  await pool.query(`alter database ${template} is_template true`)
  return template
}

/**
 * A database of its own in the server behind the URL, whose user must be allowed to create databases; migrated and
 * empty.
 */
export const createDatabaseForTests = async (url: string): Promise<TestServer> => {
  const name = `assay_test_${randomUUID().replaceAll('-', '')}`
  await withPool(url, async pool => {
    // Of the pool's one connection, which ends with it.
    await pool.query('select pg_advisory_lock($1)', [LOCK])
    await pool.query(`create database ${name} template ${await prepareTemplate(pool, url)}`)
  })
  return {
    connection: databaseOf(url, name),
    stop: () => withPool(url, async pool => void (await pool.query(`drop database ${name} with (force)`))),
  }
}
