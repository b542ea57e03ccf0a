import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { OutgoingRecord } from '../../../infra/log/port.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { createSealer } from '../../../infra/runtime/secrets.ts'
import { eventually } from '../../../infra/runtime/testing.ts'
import { sealPiece, storePiece } from '../../../model/transfers/pieces.ts'
import { insertTransfer } from '../../../model/transfers/transfers.ts'
import { type JobId, newId, type TransferId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { signalsTopic } from '../../../schemas/events/topics.ts'
import type { CsvReading, ImportReport } from '../../../schemas/transfers/reading.ts'
import { signalCodec, testObserver } from '../../framework/testing.ts'
import { embedder } from '../../steps/testing.ts'
import { createCheckImportJob } from '../check-import/check-import.ts'
import { startMaintenance } from '../maintenance.ts'
import { newWorkspace, runJob } from '../testing.ts'
import { createImportJob } from './import.ts'
import { knowing } from './testing.ts'

let db: TestDatabase
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())

const sealer = createSealer(new Uint8Array(32).fill(7))
const actorKey = (value: string) => value
const READING: CsvReading = {
  delimiter: ',',
  header: true,
  mapping: [{ field: 'text', column: 0 }],
  keep_other_columns: false,
}

/** What stands before the records of a file of JSON. */
const ARRAY = '{ "name": "Board", "cards": ['

interface Upload {
  readonly id: TransferId
  readonly workspaceId: WorkspaceId
  readonly input: object
}

/** A file as an upload leaves it, in small pieces. */
const uploaded = async (
  text: string,
  {
    format = 'csv',
    workspaceId: given,
    reading = READING,
  }: {
    readonly format?: 'csv' | 'json' | 'json_lines'
    readonly workspaceId?: WorkspaceId
    readonly reading?: CsvReading
  } = {},
): Promise<Upload> => {
  const pieceBytes = 4000
  const workspaceId = given ?? (await newWorkspace(db))
  const id = newId<TransferId>()
  const bytes = Buffer.from(text)
  await db.database.transaction({ role: 'assay_app', workspaceId }, async transaction => {
    await insertTransfer(transaction, {
      id,
      workspace_id: workspaceId,
      direction: 'import',
      format,
      name: 'feedback',
      started_by: 'Owner',
    })
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const piece = await sealPiece(sealer, at, bytes.subarray(at, at + pieceBytes))
      await storePiece(transaction, workspaceId, id, piece)
    }
    await transaction.query('update transfers set complete = true, bytes = $2, reading = $3 where id = $1', [
      id,
      bytes.length,
      { csv: reading, json: { ...reading, begins: ARRAY.length }, json_lines: {} }[format],
    ])
  })
  return { id, workspaceId, input: { transfer_id: id, tenant_id: newId() } }
}

const appended: OutgoingRecord[] = []
const importJob = (afterAppend: () => void = () => {}) =>
  createImportJob({
    database: db.database,
    sealer,
    signalCodec,
    embedder,
    actorKey,
    log: {
      append: async records => {
        appended.push(...records)
        afterAppend()
      },
    },
  })
const checkJob = () => createCheckImportJob({ database: db.database, sealer, actorKey })
const check = async ({ id, workspaceId }: Upload, run: Parameters<typeof runJob>[2] = {}) => {
  const jobId = newId<JobId>()
  await db.pool.query(knowing('check_import'), [jobId, workspaceId, id])
  return runJob(checkJob(), workspaceId, { ...run, jobId })
}

const reportOf = async ({ id }: Upload): Promise<ImportReport> =>
  (await db.pool.query('select report from transfers where id = $1', [id])).rows[0].report

const piecesOf = async ({ id }: Upload): Promise<number> =>
  (await db.pool.query('select count(*)::int as count from transfer_pieces where transfer_id = $1', [id])).rows[0].count

/**
 * So many records that the jobs need several slices; every tenth is refused, every hundredth repeats the one before.
 */
const MANY = 4500
const SAME = MANY / 100
const many = (): string => {
  const lines = Array.from({ length: MANY }, (_, index) => {
    if (index % 10 === 9) return '"  ",x'
    return `"It hangs, ${index % 100 === 55 ? index - 1 : index}",`
  })
  return `text,when\n${lines.join('\n')}\n`
}

describe('The dry run of an import', () => {
  it('counts what would be accepted, refused and repeated, by line, and sends nothing', async () => {
    const upload = await uploaded('text,when\nIt hangs,\n" it  HANGS ",\n,\n"",x\n"two\nlines",\n"broken" quote,\n')
    const before = appended.length
    const { done, failed, total } = await check(upload)
    assert.deepEqual([done, failed, total, appended.length], [5, 2, 5, before])
    assert.deepEqual(await reportOf(upload), {
      records: 5,
      accepted: 3,
      refused: 2,
      known: 1,
      changed: 0,
      reworded: 0,
      changed_rows: [],
      duplicates: 0,
      duplicate_lines: [],
      reasons: [
        { reason: 'text is required.', count: 1, lines: [5] },
        { reason: 'Text stands behind the closing quote of a field.', count: 1, lines: [8] },
      ],
      earliest: null,
      latest: null,
    })
  })

  it('finds the same when a slice was done again after a crash', async () => {
    const [once, twice] = [await uploaded(many()), await uploaded(many())]
    const whole = await check(once)
    assert.ok(whole.slices > 2)
    // The first slice takes effect, and its cursor is lost.
    await check(twice, { after: () => true })
    await check(twice)
    const report = await reportOf(once)
    assert.deepEqual(await reportOf(twice), report)
    assert.partialDeepStrictEqual(report, { records: MANY, accepted: MANY * 0.9, refused: MANY * 0.1, known: 45 })
  })

  it('reads JSON Lines, and tells the times that they give', async () => {
    const upload = await uploaded(
      '{"text":"It hangs","occurred_at":"2026-02-01"}\n\n{"text":"It stops","occurred_at":"2026-01-01"}\n{"text":',
      { format: 'json_lines' },
    )
    await check(upload)
    assert.partialDeepStrictEqual(await reportOf(upload), {
      records: 3,
      reasons: [{ reason: 'The line is not JSON.', lines: [4] }],
      earliest: '2026-01-01T00:00:00.000Z',
      latest: '2026-02-01T00:00:00.000Z',
    })
  })
})

describe('An import of Signals', () => {
  it('sends each record to the bulk lane once, whatever is done again', async () => {
    const upload = await uploaded(many())
    appended.length = 0
    const outcome = await runJob(importJob(), upload.workspaceId, upload)
    assert.deepEqual([outcome.done, outcome.failed, outcome.total], [MANY, MANY * 0.1, MANY])
    assert.match(outcome.messages.at(-1) ?? '', /^Line \d+: text must not be blank\.|^Line \d+: text is required\.$/)
    const signals = await Promise.all(appended.map(({ value }) => signalCodec.decode(value as Uint8Array)))
    assert.equal(new Set(signals.map(({ signal_id }) => signal_id)).size, MANY * 0.9 - SAME)
    assert.equal(signals.length, MANY * 0.9 - SAME)
    assert.ok(appended.every(({ topic }) => topic === signalsTopic('validate', 'bulk')))
    const [first] = signals
    assert.partialDeepStrictEqual(first, { workspace_id: upload.workspaceId, source_id: null, channel: 'capture' })
    assert.equal(first?.received?.body, '{"text":"It hangs, 0"}')
    assert.equal(new Set(signals.map(({ received_at }) => received_at)).size, 1)
  })

  it('loses and doubles nothing after a crash: the same slice sends the same Signals until they are noted', async () => {
    const upload = await uploaded(many())
    const slice = { jobId: newId<JobId>(), workspaceId: upload.workspaceId, input: upload.input, cursor: null }
    const idsOf = async (job: ReturnType<typeof importJob>, crash?: RegExp) => {
      appended.length = 0
      if (crash === undefined) await job.slice(slice)
      else await assert.rejects(job.slice(slice), crash)
      return appended.map(({ key }) => key)
    }
    const crashing = importJob(() => assert.fail('It crashed behind the log.'))
    const first = await idsOf(crashing, /behind the log/)
    assert.ok(first.length > 0)
    assert.deepEqual(await idsOf(importJob()), first)
    assert.deepEqual(await idsOf(importJob()), [])
  })

  it('sends a row once, in whatever file, order and slice it comes again', async () => {
    const { workspaceId } = await uploaded('text\n')
    const sentOf = async (text: string, reading: Partial<CsvReading> = {}, format: 'csv' | 'json_lines' = 'csv') => {
      const upload = await uploaded(text, { format, workspaceId, reading: { ...READING, ...reading } })
      appended.length = 0
      await check(upload)
      const report = await reportOf(upload)
      await runJob(importJob(), workspaceId, upload)
      assert.equal(report.accepted - report.known, appended.length)
      return appended.length
    }
    const rows = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => `It hangs on page ${from + at},Ana ${(from + at) % 3}\n`)
    const writer = { mapping: [...READING.mapping, { field: 'actor_name', column: 1 } as const] }
    assert.equal(await sentOf(`text,who\n${rows(0, 700).join('')}`, writer), 700)
    assert.equal(await sentOf(`text,who\n${rows(0, 700).toReversed().join('')}`, writer), 0)
    assert.equal(await sentOf(`text,who\n${rows(350, 1050).join('')}`, writer), 350)
    assert.equal(await sentOf('text,who\nIt hangs on page 5,Ben\n IT hangs on  page 5,ana 2\n', writer), 1)
    const lines = rows(0, 9).map(row =>
      JSON.stringify({ text: row.split(',')[0], actor_name: row.trim().split(',')[1] }),
    )
    assert.equal(await sentOf(lines.join('\n'), {}, 'json_lines'), 0)

    const numbered = { mapping: [...READING.mapping, { field: 'row_id', column: 1 } as const] }
    assert.equal(await sentOf('text,id\nDark mode please,7\nDark mode please,8\nIt hangs,9\n', numbered), 3)
    // Its status or its words have changed since: it is the same row.
    assert.equal(
      await sentOf('text,id,status\nDark mode please!,8,closed\nIt hangs,9,open\nNew,10,open\n', numbered),
      1,
    )
    const elsewhere = { mapping: [...numbered.mapping, { field: 'source', value: 'Another desk' } as const] }
    assert.equal(await sentOf('text,id\nSomething else,8\n', elsewhere), 1)
  })

  it('of JSON sends each element once over several slices, by its number, and nothing behind the array', async () => {
    const elements = Array.from({ length: 1234 }, (_, at) => (at % 100 === 99 ? '5' : `{"title":"It hangs, ${at}"}`))
    const upload = await uploaded(`${ARRAY}${elements.join(',\n')}],"lists":[{"title":"None"}]}\n`, { format: 'json' })
    appended.length = 0
    const { done, failed, total, messages } = await runJob(importJob(), upload.workspaceId, upload)
    assert.deepEqual([done, failed, total], [1234, 12, 1234])
    assert.equal(messages.at(-1), 'Element 1200: The element is no object.')
    assert.equal(new Set(appended.map(({ key }) => key)).size, 1222)
    await check(upload)
    assert.partialDeepStrictEqual(await reportOf(upload), {
      accepted: 1222,
      reasons: [{ count: 12, lines: [100, 200, 300, 400, 500] }],
    })
  })

  it('fails when its file was deleted, also between two slices', async () => {
    const json = `${ARRAY}${'{"title":"It hangs"},'.repeat(5000)}{}]}`
    for (const upload of [await uploaded(many()), await uploaded(json, { format: 'json' })]) {
      for (const job of [importJob(), checkJob()]) {
        const slice = { jobId: newId<JobId>(), workspaceId: upload.workspaceId, input: upload.input }
        await db.pool.query(knowing('check_import'), [slice.jobId, upload.workspaceId, upload.id])
        const { cursor } = await job.slice({ ...slice, cursor: null })
        assert.ok(cursor !== null)
        const gone = { code: 'not_found', message: /kept for a day/ }
        const { rows } = await db.pool.query('delete from transfer_pieces where transfer_id = $1 returning *', [
          upload.id,
        ])
        await assert.rejects(job.slice({ ...slice, cursor }), gone)
        for (const { workspace_id, starts_at, bytes, sealed } of rows) {
          await db.database.transaction({ role: 'assay_app', workspaceId: upload.workspaceId }, transaction =>
            storePiece(transaction, workspace_id, upload.id, { startsAt: starts_at, bytes, sealed }),
          )
        }
      }
    }
  })
})

describe('An uploaded file', () => {
  const withJob = async (upload: Upload, kind = 'import'): Promise<JobId> => {
    const id = newId<JobId>()
    await db.pool.query(`insert into jobs (id, workspace_id, kind, started_by) values ($1, $2, $3, 'Owner')`, [
      id,
      upload.workspaceId,
      kind,
    ])
    await db.pool.query('update transfers set job_id = $2 where id = $1', [upload.id, id])
    return id
  }

  it('is stored sealed', async () => {
    const upload = await uploaded('text\nana@example.com hangs\n')
    const { rows } = await db.pool.query('select sealed from transfer_pieces where transfer_id = $1', [upload.id])
    assert.ok(!rows[0].sealed.includes('ana@'))
  })

  it('goes when its import is done, cancelled or failed, whoever ends it', async () => {
    for (const [state, role] of [
      ['done', 'assay_accounts'],
      ['failed', 'assay_accounts'],
      ['cancelled', 'assay_app'],
    ] as const) {
      const upload = await uploaded('text\nIt hangs\n')
      const job = await withJob(upload)
      const scope = role === 'assay_app' ? { role, workspaceId: upload.workspaceId } : { role }
      await db.database.transaction(scope, transaction =>
        transaction.query('update jobs set state = $2 where id = $1', [job, state]),
      )
      assert.equal(await piecesOf(upload), 0, state)
    }
  })

  it('goes after a day, unless it is being imported', async () => {
    const [old, importing, fresh] = [await uploaded('a\n'), await uploaded('b\n'), await uploaded('c\n')]
    await withJob(importing)
    await db.pool.query(
      `update transfer_pieces set created_at = now() - interval '25 hours' where transfer_id = any ($1)`,
      [[old.id, importing.id]],
    )
    const maintenance = startMaintenance({
      database: db.database,
      embedder: { model: 'test' },
      judge: null,
      classifier: { version: 'test' },
      observer: testObserver(),
      intervalMs: 5,
    })
    await eventually('the old file is deleted', async () => (await piecesOf(old)) === 0)
    await maintenance.stop()
    assert.deepEqual([await piecesOf(importing), await piecesOf(fresh)], [1, 1])
  })
})
