import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createSealer, INSTALLATION_KEY_BYTES } from '../../../infra/runtime/secrets.ts'
import { packed, workbook, workbookParts } from '../../../model/transfers/records/spreadsheet.testing.ts'
import { createCheckImportJob } from '../../../processors/jobs/check-import/check-import.ts'
import { createLeases } from '../../../processors/jobs/runner.ts'
import type { TransferId } from '../../../schemas/domain/ids.ts'
import { receiveFile } from '../../files/receive-file.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

const sealer = createSealer(new Uint8Array(INSTALLATION_KEY_BYTES).fill(7))
const CSV = 'Feedback,Date,Address\nIt hangs,2026-01-01,ana@example.com\nIt stops,yesterday,ben@example.com\n'

let kit: OperationsKit
let workspace: Workspace
before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
})

async function* bytesOf(text: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

const upload = async (text: string | Uint8Array): Promise<TransferId> => {
  const stores = { database: kit.database.database, sealer, quotas: kit.quotas, worker: kit.worker }
  return (await receiveFile(stores, workspace.caller, 'feedback.csv', bytesOf(text))).id
}

/** The slices of the dry runs that were started: `next` does one, and answers whether there was one. */
const checkSlices = () => {
  const { database } = kit.database
  const job = createCheckImportJob({ database, sealer, actorKey: value => value })
  const leases = createLeases(database, 60_000)
  const next = async (): Promise<boolean> => {
    const held = await leases.take(['check_import'])
    if (held === null) return false
    const { id: jobId, workspace_id: workspaceId, input, cursor } = held
    await leases.store(held, await job.slice({ jobId, workspaceId, input, cursor }))
    return true
  }
  return { next }
}

/** Does the dry runs that were started. */
const check = async (): Promise<void> => {
  const { next } = checkSlices()
  while (await next());
}

const only = async () => (await workspace.inApp('list_transfers')).data.items[0]
const reading = { delimiter: ',', header: true, mapping: [{ field: 'text', column: 0 }], keep_other_columns: false }

describe('An upload', () => {
  it('is recognized by what is in it, and shown as it would be read', async () => {
    const id = await upload(CSV)
    const { data } = await workspace.inApp('preview_import', { id })
    assert.deepEqual(data.columns, [
      { name: 'Feedback', example: 'It hangs' },
      { name: 'Date', example: '2026-01-01' },
      { name: 'Address', example: 'ana@example.com' },
    ])
    assert.deepEqual(data.reading.mapping, [
      { field: 'text', column: 0 },
      { field: 'occurred_at', column: 1 },
    ])
    assert.deepEqual(data.sample[0], {
      line: 2,
      signal: { text: 'It hangs', occurred_at: '2026-01-01', metadata: { Address: 'ana@example.com' } },
      refused: null,
    })
    assert.match(data.sample[1].refused, /^occurred_at must be a date, such as/)
    const other = await workspace.inApp('preview_import', { id, reading })
    assert.deepEqual(other.data.sample[1].signal, { text: 'It stops' })
    assert.equal((await only()).format, 'csv')
  })

  it('is said to be of another tool, and in what it was written', async () => {
    const csv = 'Star Rating,Review Submit Date and Time,Review Title,Review Text\n5,2026-01-01T10:00:00Z,,Génial\n'
    const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
    const id = await upload(utf16(csv))
    const { data } = await workspace.inApp('preview_import', { id })
    assert.deepEqual([data.looks_like, data.encoding], ['Play Console', 'utf-16'])
    assert.partialDeepStrictEqual(data.sample[0], { signal: { text: 'Génial', source: 'Play Console' } })
    const checked = await workspace.inApp('check_import', { id, reading: data.reading })
    assert.equal(checked.data.encoding, 'utf-16')
    const other = await workspace.inApp('preview_import', { id: await upload(CSV) })
    assert.deepEqual([other.data.looks_like, other.data.encoding], [null, 'utf-8'])
    const inWindows = Buffer.from('Feedback,Language\nDer Export hängt, und niemand hört uns zu.,de\n', 'latin1')
    const windows = await workspace.inApp('preview_import', { id: await upload(inWindows) })
    assert.equal(windows.data.encoding, 'windows-1252')
    assert.match(windows.data.sample[0].signal.text, /^Der Export hängt/)
    await assert.rejects(upload(utf16('')), failsWith('invalid_input', /empty/))
  })

  it('is read as the last file with the same columns was imported, unless its dates say otherwise', async () => {
    const lines = (...dates: string[]) => `Ticket,Complaint,Asked\n${dates.map(at => `7,It hangs,${at}\n`).join('')}`
    const chosen = {
      ...{ delimiter: ',', header: true, keep_other_columns: false, dates: 'month_first' },
      mapping: [
        { field: 'text', column: 1 },
        { field: 'occurred_at', column: 2 },
      ],
    }
    const preview = async (text: string) => (await workspace.inApp('preview_import', { id: await upload(text) })).data
    const first = await upload(lines('3/4/2026'))
    await workspace.inApp('check_import', { id: first, reading: chosen })
    await check()
    assert.equal((await preview(lines('3/4/2026'))).read_like, null)
    await workspace.inApp('start_import', { id: first })
    const again = await preview(lines('3/4/2026', '5/6/2026'))
    assert.deepEqual([again.read_like, again.reading], ['feedback.csv', chosen])
    const otherwise = await preview(lines('31/5/2026', '5/6/2026'))
    assert.deepEqual(otherwise.reading, { ...chosen, dates: 'day_first' })
    const other = await preview(lines('3/4/2026').replace('Asked', 'When'))
    assert.equal(other.read_like, null)
    const elsewhere = await kit.workspace()
    const stores = { database: kit.database.database, sealer, quotas: kit.quotas, worker: kit.worker }
    const { id } = await receiveFile(stores, elsewhere.caller, 'feedback.csv', bytesOf(lines('3/4/2026')))
    assert.equal((await elsewhere.inApp('preview_import', { id })).data.read_like, null)
  })

  it('has dates that cannot be read said before, and goes on without them where a person says so', async () => {
    const lines = ['soon', 'later', 'never', 'ever', '2026-01-05'].map(date => `It hangs ${date},${date}\n`)
    const id = await upload(`Feedback,Date\n${lines.join('')}`)
    const { data } = await workspace.inApp('preview_import', { id })
    assert.deepEqual(data.unread_dates, { count: 4, looked_at: 5, examples: ['soon', 'later', 'never'] })
    const tried = async (reading: unknown) => {
      await workspace.inApp('check_import', { id, reading })
      await check()
      return (await only()).report
    }
    assert.partialDeepStrictEqual(await tried(data.reading), { accepted: 1, refused: 4 })
    const left = await tried({ ...data.reading, leave_unread_dates: true })
    assert.partialDeepStrictEqual(left, { accepted: 5, refused: 0, earliest: '2026-01-05T00:00:00.000Z' })
  })

  it('of JSON has its records in an array, each by its number, with its columns within objects', async () => {
    const records = [{ title: 'It hangs', user: { login: 'ana' } }, { title: 5 }, 'none', { title: '' }]
    for (const file of [records, { name: 'Board', lists: [{ id: 'x' }], tickets: records }]) {
      const id = await upload(JSON.stringify(file, null, 2))
      const { data } = await workspace.inApp('preview_import', { id })
      assert.deepEqual(
        data.columns.map(({ name }: { name: string }) => name),
        ['title', 'user.login'],
      )
      assert.deepEqual(
        data.sample.map(({ line, signal, refused }: { line: number; signal: unknown; refused: unknown }) => [
          line,
          signal,
          refused,
        ]),
        [
          [1, { text: 'It hangs', actor_name: 'ana' }, null],
          [2, { text: '5' }, null],
          [3, null, 'The element is no object.'],
        ],
      )
      await workspace.inApp('check_import', { id, reading: data.reading })
      await check()
      const { report, format } = await only()
      assert.equal(format, 'json')
      assert.partialDeepStrictEqual(report, { records: 3, accepted: 2, refused: 1, reasons: [{ lines: [3] }] })
    }
  })

  it('has its dates guessed from all of them, unless somebody says what they mean', async () => {
    const id = await upload('Feedback,Date\nIt hangs,1/2/2026\nIt stops,31/12/2025 14:05\n')
    const whenRead = async (dates?: string) => {
      const given = dates === undefined ? {} : { reading: { ...(await preview()).reading, dates } }
      const { sample } = (await workspace.inApp('preview_import', { id, ...given })).data
      return sample.map((each: { signal: { occurred_at?: string } | null }) => each.signal?.occurred_at)
    }
    const preview = async () => (await workspace.inApp('preview_import', { id })).data
    const { dates, reading: guessed } = await preview()
    assert.deepEqual([dates, guessed.dates], [{ orders: ['day_first'], example: '31/12/2025 14:05' }, 'day_first'])
    assert.deepEqual(await whenRead(), ['2026-02-01', '2025-12-31T14:05:00Z'])
    assert.deepEqual(await whenRead('month_first'), ['2026-01-02', undefined])
    await workspace.inApp('discard_transfer', { id })
  })

  it('keeps nothing of a file in the list, the jobs or the report', async () => {
    const id = await upload(CSV)
    await workspace.inApp('check_import', { id, reading: { ...reading, mapping: [{ field: 'text', column: 2 }] } })
    await check()
    const { rows } = await kit.database.pool.query(
      `select (select json_agg(transfers) from transfers)::text || (select json_agg(jobs) from jobs)::text as kept`,
    )
    assert.ok(!/@example|hangs|Address/.test(rows[0].kept), rows[0].kept)
  })

  it('of a workbook is its first sheet, read as CSV is; one that no thread can hold is refused', async () => {
    const rows = [
      ['Ticket number', 'Created at', 'Feedback'],
      [{ number: '41' }, { day: '46000' }, 'It hangs, often'],
      [{ number: '42' }, { day: '46001.5' }, 'It stops'],
    ]
    const id = await upload(workbook(rows))
    const { data } = await workspace.inApp('preview_import', { id })
    assert.deepEqual(
      data.sample.map((each: { signal: unknown }) => each.signal),
      [
        { text: 'It hangs, often', occurred_at: '2025-12-09', metadata: { 'Ticket number': '41' } },
        { text: 'It stops', occurred_at: '2025-12-10T12:00:00Z', metadata: { 'Ticket number': '42' } },
      ],
    )
    await workspace.inApp('check_import', { id, reading: data.reading })
    await check()
    const { format, report } = await only()
    assert.equal(format, 'csv')
    assert.partialDeepStrictEqual(report, { records: 2, accepted: 2 })
    const far = '<worksheet><sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>'
    await assert.rejects(upload(packed(workbookParts(far))), failsWith('too_large', /Save the sheet as CSV/))
    await assert.rejects(upload(workbook([])), failsWith('invalid_input', /first sheet is empty/))
    const large = Buffer.concat([Buffer.from('PK'), Buffer.alloc(9 * 1024 * 1024, 'x')])
    await assert.rejects(upload(large), failsWith('too_large', /Save the sheet as CSV/))
    assert.equal((await workspace.inApp('list_transfers')).data.count, 1)
  })

  it('is refused where it is none of ours, saying what to do', async () => {
    const refusals: readonly (readonly [string | Uint8Array, 'unsupported' | 'invalid_input', RegExp])[] = [
      ['PK\u0003\u0004', 'unsupported', /Save the sheet as CSV/],
      [Buffer.from([0x1f, 0x8b, 0x08]), 'unsupported', /Unpack it/],
      [Buffer.from('text', 'utf16le'), 'unsupported', /no text/],
      ['', 'invalid_input', /empty/],
      [' \n ', 'invalid_input', /empty/],
    ]
    for (const [file, code, message] of refusals) await assert.rejects(upload(file), failsWith(code, message))
    assert.equal(await only(), undefined)
  })

  it('is bounded, in its length and in how many wait', async () => {
    const { importMegabytes } = kit.quotas
    kit.quotas.importMegabytes = 1
    await assert.rejects(
      upload('x'.repeat(1024 * 1024 + 1)),
      failsWith('too_large', /at most 1 MB.*import_megabytes in QUOTAS/),
    )
    kit.quotas.importMegabytes = importMegabytes
    assert.equal(await only(), undefined)
    for (let made = 0; made < 5; made += 1) await upload(CSV)
    await assert.rejects(upload(CSV), failsWith('quota_exceeded', /has 5 uploaded files that wait/))
  })

  it('is gone when it is discarded, with its dry run', async () => {
    const id = await upload(CSV)
    await workspace.inApp('check_import', { id, reading })
    await workspace.inApp('discard_transfer', { id })
    const { rows } = await kit.database.pool.query(
      'select state, (select count(*)::int from transfer_pieces where transfer_id = $1) as pieces from jobs where workspace_id = $2',
      [id, workspace.id],
    )
    assert.deepEqual(rows, [{ state: 'cancelled', pieces: 0 }])
    await assert.rejects(workspace.inApp('preview_import', { id }), failsWith('not_found'))
  })
})

describe('An import', () => {
  it('needs a dry run of the reading that is meant, then starts once', async () => {
    const id = await upload(CSV)
    await assert.rejects(workspace.inApp('start_import', { id }), failsWith('conflict', /Try the import first/))
    await workspace.inApp('check_import', { id, reading })
    await assert.rejects(workspace.inApp('check_import', { id, reading }), failsWith('conflict', /being checked/))
    await check()
    assert.partialDeepStrictEqual(await only(), { state: 'ready', report: { accepted: 2 }, check: { state: 'done' } })
    const { data } = await workspace.inApp('start_import', { id })
    assert.partialDeepStrictEqual(data, { state: 'running', job: { kind: 'import', total: 2, started_by: 'Owner' } })
    await assert.rejects(workspace.inApp('start_import', { id }), failsWith('conflict', /imported already/))
    await assert.rejects(workspace.inApp('discard_transfer', { id }), failsWith('conflict', /cancel it first/))
    const second = await upload(CSV)
    await workspace.inApp('check_import', { id: second, reading })
    await check()
    await assert.rejects(workspace.inApp('start_import', { id: second }), failsWith('conflict', /Another file/))
    await workspace.inApp('cancel_job', { id: data.job.id })
    await workspace.inApp('start_import', { id: second })
    const [, cancelled] = (await workspace.inApp('list_transfers')).data.items
    assert.deepEqual([cancelled.state, cancelled.has_file], ['cancelled', false])
  })

  it('is tried beside other files, each with how far it is by itself; the last of them ends the job', async () => {
    const lines = Array.from({ length: 2500 }, (_, line) => `It hangs ${line},x`).join('\n')
    const long = await upload(`Feedback,Date\n${lines}\n`)
    const short = await upload(CSV)
    const first = (await workspace.inApp('check_import', { id: long, reading })).data.check
    const second = (await workspace.inApp('check_import', { id: short, reading })).data.check
    assert.equal(first.id, second.id)
    const slices = checkSlices()
    const checks = async () => {
      const { items } = (await workspace.inApp('list_transfers')).data
      return [long, short].map(id => {
        const { state, done } = items.find((each: { id: string }) => each.id === id).check
        return [state, done]
      })
    }
    const seen = [await checks()]
    while (await slices.next()) seen.push(await checks())
    const order = long < short ? ['running', 2000] : ['running', 0]
    assert.deepEqual(seen[1]?.[0], order)
    assert.deepEqual(seen.at(-1), [
      ['done', 2500],
      ['done', 2],
    ])
    // One that is over is tried again by another reading, by another job.
    await workspace.inApp('check_import', { id: short, reading: { ...reading, header: false } })
    const third = await upload(CSV)
    await workspace.inApp('check_import', { id: third, reading })
    await workspace.inApp('discard_transfer', { id: third })
    await check()
    const { items } = (await workspace.inApp('list_transfers')).data
    assert.partialDeepStrictEqual(items[0], { check: { state: 'done' }, report: { records: 3 } })
  })

  it('is not started for a file of which nothing would be accepted', async () => {
    const id = await upload('text,when\n,x\n')
    await workspace.inApp('check_import', { id, reading })
    await check()
    await assert.rejects(workspace.inApp('start_import', { id }), failsWith('conflict', /accepted no line/))
  })

  it('wants a reading that can be right', async () => {
    const id = await upload(CSV)
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [undefined, /must say how the columns are read/],
      [{ ...reading, mapping: [] }, /which column is the text/],
      [{ ...reading, mapping: [{ field: 'text', value: 'x' }] }, /which column is the text/],
      [{ ...reading, mapping: [{ field: 'text', column: 0, value: 'x' }] }, /either a column or a value/],
      [{ ...reading, mapping: [...reading.mapping, ...reading.mapping] }, /each column once/],
      [
        { ...reading, mapping: [...reading.mapping, ...[1, 2].map(column => ({ field: 'source', column }))] },
        /each field once/,
      ],
      [{ ...reading, delimiter: 'x' }, /delimiter/],
    ]
    for (const [given, message] of wrong) {
      await assert.rejects(workspace.inApp('check_import', { id, reading: given }), failsWith('invalid_input', message))
    }
    const lines = await upload('{"text":"It hangs"}\n')
    await assert.rejects(
      workspace.inApp('check_import', { id: lines, reading }),
      failsWith('invalid_input', /is for columns/),
    )
    await workspace.inApp('check_import', { id: lines })
  })

  it('is seen by viewers and done by members', async () => {
    const id = await upload(CSV)
    await workspace.inApp('list_transfers', {}, 'viewer')
    for (const [operation, input] of [
      ['preview_import', { id }],
      ['check_import', { id, reading }],
      ['start_import', { id }],
      ['discard_transfer', { id }],
      ['start_export', {}],
    ] as const) {
      await assert.rejects(workspace.inApp(operation, input, 'viewer'), failsWith('forbidden'))
    }
    await workspace.inApp('check_import', { id, reading }, 'member')
  })
})
