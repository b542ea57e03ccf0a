import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { saveAnswers } from '../../model/themes/answers.ts'
import { INVOICES, mailOf, NEEDS_SAID_TWICE, OTHERS, PASSWORDS } from '../../model/themes/testing.ts'
import type { SignalId, ThemeId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Polling } from '../framework/poll.ts'
import { testObserver } from '../framework/testing.ts'
import { embedder } from '../steps/testing.ts'
import { createFindThemesJob } from './find-themes/find-themes.ts'
import { startKeepingThemes } from './keep-themes.ts'
import { addManySignals, addSignals, newWorkspace, runJob } from './testing.ts'

describe('Signals that come after themes were found', () => {
  let db: TestDatabase
  let keeping: Polling
  before(async () => {
    db = await startTestDatabase()
    keeping = startKeepingThemes({ database: db.database, embedder, observer: testObserver(), intervalMs: 20 })
  })
  after(async () => {
    await keeping.stop()
    await db.stop()
  })

  const start = async () => {
    const workspace = await newWorkspace(db)
    const add = (...texts: readonly string[]) => addSignals(db, workspace, ...texts.map(text => [text] as const))
    const [invoices, passwords] = [await add(...INVOICES), await add(...PASSWORDS)]
    await add(...OTHERS)
    const find = () => runJob(createFindThemesJob({ database: db.database, embedder }), workspace)
    await find()
    return { workspace, add, find, invoices, passwords }
  }
  const placed = (workspace: WorkspaceId) =>
    eventually('every signal is looked at', async () => {
      const { rows } = await db.pool.query(
        `select placed_number = (select max(number) from signals where workspace_id = $1) as is_done
         from theme_runs where workspace_id = $1`,
        [workspace],
      )
      assert.deepEqual(rows, [{ is_done: true }])
    })
  const themesOf = async (signal: SignalId | undefined): Promise<readonly ThemeId[]> =>
    (
      await db.pool.query<{ id: ThemeId }>('select theme_id as id from theme_members where signal_id = $1', [signal])
    ).rows.map(({ id }) => id)

  it('are put into the one theme that they fit, in any language, and into none where they fit none', async () => {
    const { workspace, add, invoices, passwords } = await start()
    const [address, link, unlike, short] = await add(
      'La dirección de nuestra empresa en la factura es incorrecta.',
      'The link to reset my password has expired again.',
      'Forklifts of the second hall are counted twice.',
      'Invoice?',
    )
    await placed(workspace)
    assert.deepEqual(await themesOf(address), await themesOf(invoices[0]))
    assert.deepEqual(await themesOf(link), await themesOf(passwords[0]))
    assert.deepEqual([await themesOf(unlike), await themesOf(short)], [[], []])
    const { rows } = await db.pool.query('select language from theme_members where signal_id = $1', [address])
    assert.deepEqual(rows, [{ language: 'es' }])
  })

  it('are quoted from where they say something themselves, when they begin as many others do', async () => {
    const { workspace, add, find, invoices } = await start()
    await add(...NEEDS_SAID_TWICE.map(([need], at) => mailOf(need, at)))
    await find()
    // Whatever it says, it fits this theme alone.
    await db.pool.query(
      `update themes set least_likeness = case when id = any ($2::uuid[]) then -1e6 else 1e6 end where workspace_id = $1`,
      [workspace, await themesOf(invoices[0])],
    )
    const need = 'Our company address on the invoice is wrong again.'
    const [late] = await add(mailOf(need, 99))
    await placed(workspace)
    const { rows } = await db.pool.query<{ quote: string }>(
      `select substring(text from quote_start + 1 for quote_length) as quote
       from theme_members join signals on signals.id = signal_id where signal_id = $1`,
      [late],
    )
    assert.equal(rows.length, 1)
    assert.ok(rows[0]?.quote.startsWith(need), rows[0]?.quote)
  })

  it('are pulled by what a person confirmed, and by nothing that they were refused of', async () => {
    const { workspace, add, find, invoices } = await start()
    const [theme = assert.fail('none')] = await themesOf(invoices[0])
    const answer = (confirmed: readonly SignalId[], refused: readonly SignalId[]) =>
      db.database.transaction({ role: 'assay_app', workspaceId: workspace }, transaction =>
        saveAnswers(transaction, workspace, { themeId: theme, confirmed, refused, decisionId: null, at: new Date() }),
      )
    await answer(invoices.slice(0, 3), [])
    await find()
    const [late] = await add('The invoice that we got shows a wrong address of our company.')
    await placed(workspace)
    assert.deepEqual(await themesOf(late), [theme])
    await find()
    await db.pool.query('delete from theme_members where signal_id = $1', [late])
    await answer([], late === undefined ? [] : [late])
    await add('Another signal, so that the newest are looked at again.')
    await placed(workspace)
    assert.deepEqual(await themesOf(late), [])
  })

  it('are looked at page by page where many came at once', async () => {
    const workspace = await newWorkspace(db)
    await addManySignals(db, workspace, 650)
    await db.pool.query(
      `insert into theme_runs (workspace_id, through_number, signals, model, mean, found_at)
       values ($1, 0, 0, $2, array_fill(0::real, array[1024]), now())`,
      [workspace, embedder.model],
    )
    await placed(workspace)
  })
})
