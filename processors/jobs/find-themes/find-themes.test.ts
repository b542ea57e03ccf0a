import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { cosine, fromVector } from '../../../infra/vectors.ts'
import { saveAnswers } from '../../../model/themes/answers.ts'
import { WITH_THEMES_TO_FIND } from '../../../model/themes/due.ts'
import { likelyMembers } from '../../../model/themes/likely.ts'
import { INVOICES, mailOf, NEEDS_SAID_TWICE, OTHERS, PASSWORDS } from '../../../model/themes/testing.ts'
import type { SignalId, ThemeId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import { embedder, freshNeighbours } from '../../steps/testing.ts'
import { addSignals, newWorkspace, runJob } from '../testing.ts'
import { createFindThemesJob } from './find-themes.ts'

let db: TestDatabase
let workspace: WorkspaceId
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())
beforeEach(async () => {
  workspace = await newWorkspace(db)
})

const add = (...texts: readonly string[]): Promise<readonly SignalId[]> =>
  addSignals(db, workspace, ...texts.map(text => [text] as const))
const find = () => runJob(createFindThemesJob({ database: db.database, embedder }), workspace)

interface Theme {
  readonly id: ThemeId
  readonly number: number
  readonly name: string
  readonly ended: boolean
  readonly became: number | null
  readonly split_from: number | null
  readonly signals: readonly SignalId[]
  readonly quotes: readonly string[]
  readonly languages: readonly string[]
}

const themes = async (): Promise<readonly Theme[]> => {
  const { rows } = await db.pool.query<Theme>(
    `select themes.id, themes.number, themes.name, themes.ended_at is not null as ended, became.number as became,
       origin.number as split_from,
       array(select signal_id from theme_members where theme_id = themes.id order by signal_id) as signals,
       array(select substring(text from quote_start + 1 for quote_length) from theme_members
         join signals on signals.id = signal_id where theme_id = themes.id order by signal_id) as quotes,
       array(select distinct language from theme_members where theme_id = themes.id order by language) as languages
     from themes left join themes as became on became.id = themes.became_id
       left join themes as origin on origin.id = themes.split_from_id
     where themes.workspace_id = $1 order by themes.number`,
    [workspace],
  )
  return rows
}
const themeOf = async (signal: SignalId | undefined): Promise<Theme | undefined> =>
  (await themes()).find(({ signals }) => signal !== undefined && signals.includes(signal))

/** Stores what a person said, as the operation does. */
const answer = async (
  themeId: ThemeId | undefined,
  confirmed: readonly SignalId[],
  refused: readonly (SignalId | undefined)[],
): Promise<void> => {
  await db.database.transaction({ role: 'assay_app', workspaceId: workspace }, transaction =>
    saveAnswers(transaction, workspace, {
      themeId: themeId ?? assert.fail('There is no theme.'),
      confirmed,
      refused: refused.filter(id => id !== undefined),
      decisionId: null,
      at: new Date(),
    }),
  )
}
const likely = async (themeId: ThemeId | undefined): Promise<readonly SignalId[]> => {
  const of = { workspaceId: workspace, themeId: themeId ?? assert.fail('There is no theme.'), model: embedder.model }
  const neighbours = freshNeighbours()
  await neighbours.warm(db.database, [of])
  return db.database.transaction({ role: 'assay_app', workspaceId: workspace }, async transaction =>
    (await likelyMembers(transaction, neighbours, of)).map(({ signal_id }) => signal_id),
  )
}

const due = async (): Promise<boolean> =>
  (await db.pool.query(WITH_THEMES_TO_FIND, [[workspace], null])).rows.length > 0

describe('find_themes', () => {
  it('stores what likely belongs together, with a number, a name, languages and a sentence of each signal', async () => {
    const letter = (text: string) => `Dear team,\n${text}\nBest regards from all of us`
    const [invoices, passwords] = [await add(...INVOICES.map(letter)), await add(...PASSWORDS)]
    await add(...OTHERS.map(letter))
    const outcome = await find()
    assert.partialDeepStrictEqual(outcome, { done: 12, failed: 0, total: 12 })
    assert.deepEqual(
      (await themes()).map(({ number, ended, became, split_from }) => [number, ended, became, split_from]),
      [
        [1, false, null, null],
        [2, false, null, null],
      ],
    )
    assert.deepEqual((await themeOf(passwords[0]))?.signals, passwords.toSorted())
    const theme = await themeOf(invoices[0])
    assert.deepEqual(theme?.signals, invoices.toSorted())
    assert.deepEqual(theme?.quotes, INVOICES)
    assert.match(theme?.name ?? '', /address/)
    assert.deepEqual(theme?.languages, ['de', 'en', 'fr'])
  })

  it('does not look at who signed', async () => {
    const signature = (at: number) => {
      const name = ['Rudd', 'Adebayo', 'Pemberton', 'Baxter', 'Larkspur', 'Whitcombe'][at % 6]
      return `Kind regards,\nOttoline ${name}\n${name} Horse Clinic, Harrogate\nPractice Manager ${name}`
    }
    const texts = [...INVOICES, ...PASSWORDS, ...OTHERS]
    const ids = await add(...texts.map((text, at) => `${text}\n\n${signature(at)}`))
    await find()
    const found = await Promise.all([ids[0], ids[INVOICES.length]].map(themeOf))
    assert.deepEqual(
      found.map(theme => theme?.signals),
      [ids.slice(0, INVOICES.length), ids.slice(INVOICES.length, INVOICES.length + PASSWORDS.length)].map(some =>
        some.toSorted(),
      ),
    )
    assert.deepEqual(found[0]?.quotes, INVOICES)
  })

  describe('makes vectors of what a text says itself', () => {
    const [[need], ...others] = NEEDS_SAID_TWICE
    const addMails = async (): Promise<SignalId> => {
      const [first = assert.fail('none')] = await add(...[need, ...others.flat()].map(mailOf))
      return first
    }
    const stored = async (signal: SignalId): Promise<Float32Array> => {
      const { rows } = await db.pool.query<{ embedding: string }>(
        'select embedding::text as embedding from signal_vectors where signal_id = $1',
        [signal],
      )
      return fromVector(rows[0]?.embedding ?? assert.fail('It has no vector.'))
    }
    const vectorOf = async (text: string): Promise<Float32Array> =>
      (await embedder.embed([text]))[0] ?? assert.fail('The embedder answered nothing.')

    it('once, and anew when other signals share less of it', async () => {
      const mail = await addMails()
      const embedded: string[] = []
      const counted = {
        ...embedder,
        embed: (texts: readonly string[]) => {
          embedded.push(...texts)
          return embedder.embed(texts)
        },
      }
      const findCounted = () => runJob(createFindThemesJob({ database: db.database, embedder: counted }), workspace)
      await findCounted()
      assert.ok(embedded.includes(need))
      assert.ok(cosine(await stored(mail), await vectorOf(need)) > 0.9999)
      embedded.splice(0)
      await findCounted()
      assert.equal(embedded.length, 0)
      await db.pool.query(`update signals set state = 'dismissed' where workspace_id = $1 and id <> $2`, [
        workspace,
        mail,
      ])
      await findCounted()
      assert.deepEqual([embedded.length, embedded.join().includes('Please find attached')], [1, true])
      assert.ok(cosine(await stored(mail), await vectorOf(need)) < 0.95)
    })

    it('unless somebody edits the text meanwhile', async () => {
      const mail = await addMails()
      const before = await stored(mail)
      const editing = {
        ...embedder,
        embed: async (texts: readonly string[]) => {
          await db.pool.query(`update signals set text = 'Something else' where id = $1`, [mail])
          return embedder.embed(texts)
        },
      }
      await runJob(createFindThemesJob({ database: db.database, embedder: editing }), workspace)
      assert.deepEqual(await stored(mail), before)
    })
  })

  it('leaves a theme its number and name while signals come, and ends what is found no more', async () => {
    const [invoices, passwords] = [await add(...INVOICES), await add(...PASSWORDS)]
    await add(...OTHERS)
    await find()
    const before = await themeOf(invoices[0])
    await add('The address on our invoice is not the one of our company.')
    await db.pool.query(`update signals set state = 'dismissed' where id = any ($1::uuid[])`, [passwords])
    await find()
    const theme = await themeOf(invoices[0])
    assert.deepEqual([theme?.number, theme?.name, theme?.signals.length], [before?.number, before?.name, 5])
    const ended = (await themes()).filter(one => one.ended)
    assert.deepEqual(
      ended.map(({ signals, became }) => [signals, became]),
      [[[], null]],
    )
  })

  it('names a theme anew that was named by few of its signals, unless a person named it', async () => {
    const [invoices] = [await add(...INVOICES.slice(2)), await add(INVOICES[0] ?? '', ...PASSWORDS, ...OTHERS)]
    await find()
    const before = await themeOf(invoices[0])
    assert.doesNotMatch(before?.name ?? '', /company/)
    await add(
      'Our company address is not what the invoice shows.',
      'The invoice has another address than our company.',
      'The address of the company is wrong on the invoice.',
    )
    await find()
    const after = await themeOf(invoices[0])
    assert.equal(after?.number, before?.number)
    assert.match(after?.name ?? '', /company/)
  })

  it('forgets the members that are erased, and looks at the newest signals where there are too many', async () => {
    const invoices = await add(...INVOICES)
    await add(...OTHERS, ...PASSWORDS)
    await find()
    await db.pool.query('delete from signals where id = $1', [invoices[0]])
    assert.equal((await themeOf(invoices[1]))?.signals.length, 3)
    await runJob(createFindThemesJob({ database: db.database, embedder, mostSignals: 8 }), workspace)
    assert.deepEqual(
      (await themes()).filter(({ ended }) => !ended).map(({ signals }) => signals.length),
      [4],
    )
  })

  it('waits while the workspace is being embedded again', async () => {
    await add(...INVOICES, ...PASSWORDS)
    await db.pool.query(
      `insert into jobs (id, workspace_id, kind, input, started_by) values (gen_random_uuid(), $1, 're_embed', '{}', 'test')`,
      [workspace],
    )
    await assert.rejects(find(), { code: 'busy' })
    await db.pool.query('delete from jobs where workspace_id = $1', [workspace])
  })

  it('keeps what a person confirmed, which pulls what is near to it, and leaves out what was refused', async () => {
    const [invoices, passwords] = [await add(...INVOICES), await add(...PASSWORDS)]
    const others = await add(...OTHERS)
    await find()
    const theme = await themeOf(invoices[0])
    const unlike = others[0] ?? assert.fail('none')
    await answer(theme?.id, [unlike, ...invoices.slice(0, 3)], invoices.slice(3))
    assert.equal(await due(), true)
    await find()
    const kept = await themeOf(unlike)
    assert.equal(kept?.number, theme?.number)
    assert.deepEqual(kept?.signals, [unlike, ...invoices.slice(0, 3)].toSorted())
    assert.deepEqual((await themeOf(passwords[0]))?.signals, passwords.toSorted())
    const [late] = await add('The invoice that we got shows a wrong address of our company.')
    await db.pool.query(`update signals set state = 'dismissed' where id = $1`, [invoices[1]])
    await find()
    const now = (await themeOf(unlike))?.signals ?? []
    assert.ok(late !== undefined && now.includes(late), 'what comes is pulled')
    assert.ok(invoices[1] !== undefined && !now.includes(invoices[1]), 'what was dismissed is left out')
  })

  it('offers the signals that likely belong to a theme, too, the surest first, by what people said until now', async () => {
    const [invoices, passwords] = [await add(...INVOICES), await add(...PASSWORDS)]
    await add(...OTHERS)
    await find()
    const theme = await themeOf(passwords[0])
    const [late, invoice] = await add('The link for my password has expired again.', 'The address on the invoice.')
    assert.ok(late !== undefined && invoice !== undefined)
    assert.equal((await likely(theme?.id))[0], late)
    await answer(theme?.id, [], [late])
    assert.ok(!(await likely(theme?.id)).includes(late), 'what was refused is not offered again')
    await answer(theme?.id, invoices.slice(0, 2), passwords.slice(1))
    const offered = await likely(theme?.id)
    assert.ok([invoice, ...invoices].includes(offered[0] ?? late))
    assert.ok(
      invoices.slice(0, 2).every(id => !offered.includes(id)),
      'what was confirmed is not offered again',
    )
  })

  it('is due at 12 signals, and again when ten more came or one for twenty that there are', async () => {
    await add(...Array.from({ length: 11 }, (_, at) => `The first ones ${at}`))
    assert.equal(await due(), false)
    await add('One more')
    assert.equal(await due(), true)
    await find()
    assert.equal(await due(), false)
    await add(...Array.from({ length: 9 }, (_, at) => `Another one ${at}`))
    assert.equal(await due(), false)
    await db.pool.query(`update theme_runs set found_at = now() - interval '61 minutes' where workspace_id = $1`, [
      workspace,
    ])
    assert.equal(await due(), true)
    await find()
    await add(...Array.from({ length: 10 }, (_, at) => `Yet another one ${at}`))
    assert.equal(await due(), true)
  })
})
