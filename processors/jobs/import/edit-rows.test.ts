import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { CsvReading } from '../../../schemas/transfers/reading.ts'
import { newWorkspace, runJob } from '../testing.ts'
import { importKit } from './testing.ts'

let db: TestDatabase
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())
const { bring, deliver, sent } = importKit(() => db)

const query = async (statement: string, values: readonly unknown[]) =>
  (await db.pool.query(statement, [...values])).rows

const THINGS = ['invoice', 'calendar', 'search', 'login', 'report', 'invitation', 'backup', 'widget', 'map', 'chat']
const WAYS = ['is slow on Mondays', 'shows an error', 'needs a dark colour', 'forgets what I typed', 'has no shortcut']

/** A row of the desk: its number, what it says, and who said it. */
const row = (
  number: number,
  says = `The ${THINGS[number % 10]} ${WAYS[Math.floor(number / 10) % 5]} in office ${number}`,
) => `${number},${says},Ana ${number % 7},open`
const fileOf = (rows: readonly string[]) => `ticket,text,who,status\n${rows.join('\n')}\n`
const rowsOf = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => row(from + at))

/** How often each thing is counted, whatever it counts as. */
const countsOf = async (workspaceId: WorkspaceId) => {
  const [counts] = await query(
    `select (select count(*)::int from signals where workspace_id = $1) as signals,
       (select count(*)::int from occurrences where workspace_id = $1) as repeats,
       (select count(*)::int from (select id from signals where workspace_id = $1
         union select id from occurrences where workspace_id = $1) as ids) as ids,
       (select count(*)::int from claim_evidence where workspace_id = $1) as evidence,
       (select count(*)::int from imported_rows where workspace_id = $1) as rows`,
    [workspaceId],
  )
  return counts
}

describe('The same file again', () => {
  it('is counted once: as it was, in another order, overlapping by half, and with ten rows edited', async () => {
    const workspaceId = await newWorkspace(db)
    const known = ({ report }: Awaited<ReturnType<typeof bring>>) => [
      report.accepted - report.known,
      report.known - report.changed,
      report.changed,
      report.reworded,
    ]
    assert.deepEqual(known(await bring(workspaceId, fileOf(rowsOf(0, 50)))), [50, 0, 0, 0])
    await deliver()
    const first = await countsOf(workspaceId)
    assert.deepEqual([first.ids, first.rows], [50, 50])

    assert.deepEqual(known(await bring(workspaceId, fileOf(rowsOf(0, 50)))), [0, 50, 0, 0])
    assert.deepEqual(known(await bring(workspaceId, fileOf(rowsOf(0, 50).toReversed()))), [0, 50, 0, 0])
    assert.equal(sent.length, 0)
    assert.deepEqual(await countsOf(workspaceId), first)

    assert.deepEqual(known(await bring(workspaceId, fileOf(rowsOf(25, 75)))), [25, 25, 0, 0])
    await deliver()
    const half = await countsOf(workspaceId)
    assert.deepEqual([half.ids, half.rows], [75, 75])

    const edited = rowsOf(0, 75).map((line, number) => (number < 10 ? row(number, `Other words, ${number}`) : line))
    const { report } = await bring(workspaceId, fileOf(edited))
    assert.deepEqual(known({ report } as never), [0, 65, 10, 10])
    assert.equal(report.changed_rows.length, 3)
    assert.deepEqual(report.changed_rows[0]?.line, 2)
    assert.equal(sent.length, 0)
    const after = await countsOf(workspaceId)
    assert.deepEqual([after.ids, after.rows], [75, 75])
    const texts = await query(
      `select text from signals where workspace_id = $1 and text like 'Other words%'
       union all select text from occurrences where workspace_id = $1 and text like 'Other words%'`,
      [workspaceId],
    )
    assert.equal(texts.length, 10)
    assert.deepEqual(known(await bring(workspaceId, fileOf(edited))), [0, 75, 0, 0])
  })

  it('keeps two writers of one name two, by a keyed mark and the domain of each, and none of their addresses', async () => {
    const workspaceId = await newWorkspace(db)
    const reading: CsvReading = {
      ...{ delimiter: ',', header: true, keep_other_columns: false },
      mapping: [
        { field: 'text', column: 0 },
        { field: 'actor_name', column: 1 },
        { field: 'actor_email', column: 2 },
      ],
    }
    const file = `text,who,address
The ledger is cut off.,Ana,ana@marsh-books.example
The calendar has no Monday.,Ana,Ana@Other.Example
The map is dark.,Ana,ana@marsh-books.example
`
    await bring(workspaceId, file, { reading })
    await deliver()
    const stored = await query(
      `select text, actor_key, actor_email, metadata from signals where workspace_id = $1 order by text`,
      [workspaceId],
    )
    assert.deepEqual(
      stored.map(({ metadata }) => metadata),
      [
        { email_domain: 'other.example' },
        { email_domain: 'marsh-books.example' },
        { email_domain: 'marsh-books.example' },
      ],
    )
    assert.equal(new Set(stored.map(({ actor_key }) => actor_key)).size, 2)
    assert.deepEqual([...new Set(stored.map(({ actor_email }) => actor_email))], ['[EMAIL]'])
    const { report } = await bring(workspaceId, file, { reading })
    assert.deepEqual([report.accepted, report.known, report.changed], [3, 3, 0])
  })

  it('of JSON Lines is counted once, and edited where its lines have numbers', async () => {
    const workspaceId = await newWorkspace(db)
    const lines = (words: string) =>
      [1, 2, 3]
        .map(row_id => JSON.stringify({ row_id, text: `${words} ${THINGS[row_id]}`, actor_name: 'Ana' }))
        .join('\n')
    const asLines = { format: 'json_lines' } as const
    await bring(workspaceId, lines('It hangs in the'), asLines)
    await deliver()
    const again = await bring(workspaceId, lines('It hangs in the'), asLines)
    assert.partialDeepStrictEqual(again.report, { accepted: 3, known: 3, changed: 0 })
    const edited = await bring(workspaceId, lines('It is fine now in the'), asLines)
    assert.partialDeepStrictEqual(edited.report, { accepted: 3, known: 3, changed: 3, reworded: 3 })
    assert.equal((await countsOf(workspaceId)).ids, 3)
    const details = await query(
      `select metadata ->> 'row_id' as number from signals where workspace_id = $1 order by 1`,
      [workspaceId],
    )
    assert.deepEqual(
      details.map(({ number }) => number),
      ['1', '2', '3'],
      'people find it by its number',
    )
    const plain = [1, 2].map(number => JSON.stringify({ text: `Bring ${THINGS[number]} back` })).join('\n')
    await bring(workspaceId, plain, asLines)
    await deliver()
    assert.partialDeepStrictEqual((await bring(workspaceId, plain, asLines)).report, { known: 2, changed: 0 })
    assert.equal((await countsOf(workspaceId)).ids, 5)
  })
})

describe('A row that changed', () => {
  it('edits its signal, which keeps what people made of it; its claim says what it says', async () => {
    const workspaceId = await newWorkspace(db)
    await bring(workspaceId, fileOf([row(1, 'The export of invoices fails with an error'), row(2), row(3)]))
    await deliver()
    const signalOf = async () =>
      (
        await query(
          `select signals.*, (select place from signal_vectors where signal_id = signals.id) as place,
             (select title from claim_evidence join claims on claims.id = claim_id where signal_id = signals.id) as title,
             (select terms from signal_terms where id = signals.id) as terms
           from signals where workspace_id = $1 and number = 1`,
          [workspaceId],
        )
      )[0]
    const before = await signalOf()
    assert.equal(before.title, 'The export of invoices fails with an error')
    await query(`update signals set state = 'accepted' where id = $1`, [before.id])
    const words = 'The export of invoices fails for bob@example.com'
    const { report } = await bring(workspaceId, fileOf([row(1, words).replace('open', 'solved'), row(2), row(3)]))
    assert.deepEqual(report.changed_rows, [{ line: 2, signal: 'SIG-1', is_reworded: true }])
    const after = await signalOf()
    assert.deepEqual(
      [after.id, after.number, after.state, after.classification, after.text, after.title, after.metadata],
      [
        ...[before.id, 1, 'accepted', before.classification],
        ...['The export of invoices fails for [EMAIL]', 'The export of invoices fails for [EMAIL]'],
        { ticket: '1', status: 'solved' },
      ],
    )
    assert.notDeepEqual([after.place, after.terms], [before.place, before.terms])
    assert.notDeepEqual(after.text_hash, before.text_hash)
    assert.equal(
      (await countsOf(workspaceId)).evidence,
      (await query('select id from claims where workspace_id = $1', [workspaceId])).length,
    )
  })

  it('that only says something else beside its words is said to be so', async () => {
    const workspaceId = await newWorkspace(db)
    await bring(workspaceId, fileOf(rowsOf(0, 4)))
    await deliver()
    const solved = rowsOf(0, 4).map(line => line.replace('open', 'solved'))
    const { report } = await bring(workspaceId, fileOf(solved))
    assert.partialDeepStrictEqual(report, { known: 4, changed: 4, reworded: 0 })
    const rows = await query(`select metadata ->> 'status' as status from signals where workspace_id = $1`, [
      workspaceId,
    ])
    assert.deepEqual(new Set(rows.map(({ status }) => status)), new Set(['solved']))
  })

  it('is a signal of its own once it repeats nothing, and still a repeat while it does', async () => {
    const workspaceId = await newWorkspace(db)
    const said = 'The export of large boards fails with an error every time we try it'
    await bring(workspaceId, fileOf([row(1, said), row(2, said), row(3, said)]))
    await deliver()
    const first = await countsOf(workspaceId)
    assert.deepEqual([first.signals, first.repeats], [1, 2])
    await bring(workspaceId, fileOf([row(1, said), row(2, `${said}!`), row(3, 'Please add a dark mode')]))
    const takenOut = await query('select id from taken_out_repeats where workspace_id = $1 and in_force', [workspaceId])
    const repeats = await query('select text from occurrences where workspace_id = $1 order by text', [workspaceId])
    assert.deepEqual([takenOut.length, repeats.map(({ text }) => text)], [1, ['Please add a dark mode', `${said}!`]])
    // As insert does once it has its row among the signals: the row of the file stays known.
    await query('delete from occurrences where id = $1', [takenOut[0].id])
    assert.equal((await countsOf(workspaceId)).rows, 3)
  })

  it('is edited once, whatever is done again; one that is on its way is edited by a later import', async () => {
    const workspaceId = await newWorkspace(db)
    await bring(workspaceId, fileOf([row(1, 'It hangs')]))
    const edited = fileOf([row(1, 'It stops')])
    assert.equal((await bring(workspaceId, edited)).report.changed, 1)
    await deliver()
    const textOf = async () =>
      (await query('select text, version from signals where workspace_id = $1', [workspaceId]))[0]
    const stored = await textOf()
    assert.equal(stored.text, 'It hangs')
    const { report, job, input } = await bring(workspaceId, edited)
    assert.equal(report.changed, 1)
    const once = await textOf()
    // Whoever read what it said before cannot decide on what it says now.
    assert.deepEqual([once.text, once.version], ['It stops', stored.version + 1])
    await runJob(job, workspaceId, { input })
    assert.deepEqual([await textOf(), sent.length], [once, 0])
  })
})
