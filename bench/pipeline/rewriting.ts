import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runningPostgres } from '../../infra/postgres/embedded/socket-directory.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { startInstallation } from '../../test/support/installation.ts'
import { signUp } from '../../test/support/person.ts'
import { createFeedback } from '../support/feedback.ts'
import { quantilesOf } from '../support/measuring.ts'
import { createBenchPool, fillUp, prepareMix } from '../support/stored-rows.ts'
import { createGoodTenant, MEASURED, type Took } from './hostile/good-tenant.ts'

/** How many are stored, one after another, unless `--signals=20000` says otherwise. */
const SIZES = '20000,100000'
const STATEMENT_TIMEOUT_MS = 600_000
const QUIET_SECONDS = 60
const SECONDS_A_LOOK = 20

const REQUEST = `
  insert into rewrites (id, requested_at) values ('00000000-0000-0000-0000-000000000000', now())
  on conflict (id) do update set requested_at = now(), tries = 0, not_before = now()`
const PENDING = 'select from rewrites where requested_at is not null'

/** What a webhook, a read of the app and a new signal wait for while files are written anew, against quiet. */
export const rewriting = async (flags: readonly string[]): Promise<void> => {
  const { values } = parseArgs({ args: [...flags], options: { signals: { type: 'string', default: SIZES } } })
  const sizes = values.signals.split(',').map(Number)
  const installation = await startInstallation({ SEARCH_MEMORY_MB: '1024' })
  try {
    const person = await signUp(installation.baseUrl)
    const { items } = await person.call<{ items: readonly { readonly id: WorkspaceId }[] }>('list_workspaces')
    const spaces = items.map(({ id }) => id)
    const connection = await runningPostgres(join(installation.dataDirectory, 'postgres'))
    if (connection === null) throw new TypeError('The installation has its database open.')
    const pool = createBenchPool(connection, STATEMENT_TIMEOUT_MS)
    const good = await createGoodTenant(person, createFeedback(51))
    for (const [filling, size] of sizes.entries()) {
      await prepareMix(pool)
      await fillUp(pool, spaces, filling, { from: sizes[filling - 1] ?? 0, upTo: size })
      await pool.query('drop table bench_mix')
      await good.measure(10)
      const quiet = await good.measure(QUIET_SECONDS)
      console.log(`${size} signals, quiet: ${quiet.summary}`)
      const beside: Took = { app: [], mcp: [], webhook: [], visible: [] }
      await pool.query(REQUEST)
      const began = performance.now()
      do {
        const { took, summary } = await good.measure(SECONDS_A_LOOK)
        console.log(`  while files are written anew: ${summary}`)
        for (const what of Object.keys(MEASURED) as (keyof Took)[]) beside[what].push(...took[what])
      } while ((await pool.query(PENDING)).rows.length > 0)
      console.log(`  ${((performance.now() - began) / 1000).toFixed(0)} s until nothing is left to write`)
      for (const what of Object.keys(MEASURED) as (keyof Took)[]) {
        const [before, after] = [quantilesOf(quiet.took[what]), quantilesOf(beside[what])]
        console.log(
          `  ${what}: p95 ${before(0.95).toFixed(0)} → ${after(0.95).toFixed(0)} ms, longest ${before(1).toFixed(0)} → ${after(1).toFixed(0)} ms`,
        )
      }
    }
    await good.close()
    await pool.end()
  } finally {
    await installation.remove()
  }
}
