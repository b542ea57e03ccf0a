/**
 * A program that commits numbers from 1 up and says each once it is committed, until it is killed. Its argument is the
 * directory.
 */
import pg from 'pg'
import { createLogger } from '../../runtime/logger.ts'
import { startEmbeddedPostgres } from './index.ts'

const [, , directory = ''] = process.argv
const logger = createLogger({ level: 'silent', program: 'test' })
const { connection } = await startEmbeddedPostgres({
  directory,
  logger,
  onCrash: error => {
    throw error
  },
})
if (typeof connection === 'string') throw new Error('a connection by socket was expected')
process.stdout.write(`${connection.host}\n`)

const pool = new pg.Pool({ ...connection, max: 4 })
await pool.query('create table written (n integer primary key, filler text not null)')
for (let n = 1; ; n += 1) {
  const client = await pool.connect()
  await client.query('begin')
  await client.query('insert into written values ($1, $2)', [n, 'x'.repeat(2000)])
  await client.query('commit')
  client.release()
  process.stdout.write(`${n}\n`)
}
