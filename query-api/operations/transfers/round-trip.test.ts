import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createMemoryRegistry } from '../../../infra/log/testing-registry.ts'
import { createSealer, INSTALLATION_KEY_BYTES } from '../../../infra/runtime/secrets.ts'
import { createCodecs } from '../../../model/codecs.ts'
import { readPieces } from '../../../model/transfers/pieces.ts'
import { EXPORTED_TABLES, TABLES_LEFT_OUT } from '../../../model/transfers/workspace/tables.ts'
import { createExportJob } from '../../../processors/jobs/export/export.ts'
import { createImportJob } from '../../../processors/jobs/import/import.ts'
import type { JobDefinition } from '../../../processors/jobs/job-kind.ts'
import { createLeases } from '../../../processors/jobs/runner.ts'
import { embedder } from '../../../processors/steps/testing.ts'
import type { JobId, TransferId } from '../../../schemas/domain/ids.ts'
import { receiveFile } from '../../files/receive-file.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'
import { RARE, seedEverything } from '../testing-seed.ts'

const sealer = createSealer(new Uint8Array(INSTALLATION_KEY_BYTES).fill(7))
const actorKey = (value: string) => value
const { signalCodec } = createCodecs(createMemoryRegistry())

let kit: OperationsKit
before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())

const jobs = (): readonly JobDefinition[] => {
  const dependencies = { database: kit.database.database, sealer, signalCodec, embedder, actorKey }
  return [createExportJob(dependencies), createImportJob({ ...dependencies, log: { append: async () => {} } })]
}

/** Does the slices of a job as the runner does; `most` ends it early. */
const work = async (id: JobId, most = Number.POSITIVE_INFINITY): Promise<void> => {
  const leases = createLeases(kit.database.database, 60_000)
  for (let slices = 0; slices < most; slices += 1) {
    const job = await leases.take(['export', 'import'])
    const definition = jobs().find(({ kind }) => kind === job?.kind)
    if (job === null || definition === undefined) return
    assert.equal(job.id, id)
    const { workspace_id: workspaceId, input, cursor } = job
    const result = await definition.slice({ jobId: id, workspaceId, input, cursor }).catch(async (error: Error) => {
      await leases.fail(job, error.message)
      throw error
    })
    await leases.store(job, { ...result, pauseMs: 0 })
  }
}

const read = (workspace: Workspace): Parameters<typeof readPieces>[0]['read'] => {
  const { database } = kit.database
  return todo => database.transaction({ role: 'assay_app', workspaceId: workspace.id }, todo)
}

const exported = async (workspace: Workspace): Promise<string> => {
  const { data } = await workspace.inApp('start_export')
  await work(data.job.id)
  const pieces: Buffer[] = []
  for await (const piece of readPieces({ sealer, read: read(workspace) }, data.id)) pieces.push(piece)
  await workspace.inApp('discard_transfer', { id: data.id })
  return Buffer.concat(pieces).toString('utf8')
}

async function* inChunks(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000)
}

const upload = async (workspace: Workspace, text: string): Promise<TransferId> => {
  const stores = { database: kit.database.database, sealer, quotas: kit.quotas, worker: kit.worker }
  return (await receiveFile(stores, workspace.caller, 'export.jsonl', inChunks(text))).id
}

const imported = async (workspace: Workspace, text: string, slices?: number): Promise<void> => {
  const { data } = await workspace.inApp('start_import', { id: await upload(workspace, text) })
  await work(data.job.id, slices)
  if (slices === undefined) return
  const cancelled = await workspace.inApp('cancel_job', { id: data.job.id })
  assert.equal(cancelled.data.cancelled_by, 'Owner')
  await work(data.job.id)
}

const seeded = async (word: string): Promise<Workspace> => {
  const workspace = await kit.workspace()
  await seedEverything(kit, workspace, word)
  return workspace
}

/** All lines but the first, which has the time. */
const rowsOf = (text: string): string[] => text.split('\n').slice(1)

describe('An export', () => {
  it('has every table of a workspace or says why not', async () => {
    const { rows } = await kit.database.pool.query<{ name: string }>(
      `select distinct table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'workspace_id'`,
    )
    const decided = [...EXPORTED_TABLES.map(({ table }) => table), ...Object.keys(TABLES_LEFT_OUT)]
    assert.deepEqual(decided.toSorted(), [...rows.map(({ name }) => name), 'workspaces'].toSorted())
    assert.equal(new Set(decided).size, decided.length)
  })

  it('writes a row behind those that it refers to', async () => {
    const { rows } = await kit.database.pool.query<{ child: string; parent: string }>(
      `select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
       where contype = 'f' and connamespace = 'public'::regnamespace`,
    )
    const place = new Map(EXPORTED_TABLES.map(({ table }, at) => [table, at]))
    for (const { child, parent } of rows) {
      const [behind, before] = [place.get(child), place.get(parent)]
      if (behind === undefined || child === parent || parent === 'tenants') continue
      assert.ok(before !== undefined && before < behind, `${child} refers to ${parent}`)
    }
  })

  it('that is imported into an empty workspace and exported again is the same, line by line', async () => {
    const original = await seeded('xylophone')
    for (const statement of RARE) await kit.database.pool.query(statement, [original.id])
    const first = await exported(original)
    const { tables } = JSON.parse(first.split('\n', 1)[0] ?? '')
    assert.deepEqual(
      tables.flatMap(({ table, rows }: { table: string; rows: number }) => (rows > 0 ? [] : [table])),
      [],
    )
    // What was cut from a mail, of a signal and of a repeat.
    for (const cut of [
      '"cut_signature":"Kim"',
      '"cut_quoted":"Which export?"',
      '"cut_footer":"Sent',
      '"cut_omitted":7',
    ])
      assert.ok(first.split('\n').filter(line => line.includes(cut)).length > 1, cut)
    const copy = await kit.workspace()
    await imported(copy, first)
    assert.deepEqual(rowsOf(await exported(copy)), rowsOf(first))
  })

  it('brings nothing into the tables that nobody sees, whatever its rows hold', async () => {
    const hidden = /[\u200b\u202e\u{e0000}-\u{e007f}]/u
    const text = await exported(await seeded('xyl\u200b\u202e\u{e0041}ophone'))
    assert.match(text, hidden)
    const copy = await kit.workspace()
    await imported(copy, text)
    const again = await exported(copy)
    assert.doesNotMatch(again, hidden)
    assert.equal(again.split('\n').length, text.split('\n').length)
  })

  it('gives the workspace again: references, states, order and evidence', async () => {
    const original = await seeded('marimba')
    const copy = await kit.workspace()
    await imported(copy, await exported(original))
    // Evidence fades as time passes, so a priority is looked at beside what its sums are worth at its moment.
    const seen = async ({ id }: Workspace) => {
      const { rows } = await kit.database.pool.query(
        `select
           (select json_agg(array[number::text, state, classification, left(text, 20)] order by number) from signals where workspace_id = $1) as signals,
           (select json_agg(array[number::text, state, title, version::text] order by number) from claims where workspace_id = $1) as claims,
           (select json_agg(array[number::text, state, version::text, manual_rank::text] order by number) from solutions where workspace_id = $1) as solutions,
           (select json_agg(array[number::text, statement, made_by::text] order by number) from decisions where workspace_id = $1) as decisions,
           (select json_agg(array[coalesce(claims.number, -solutions.number)::text, round((evidence_priority - coalesce(worth, 0))::numeric, 6)::text, actors::text, priority_totals.signals::text]
              order by claims.number, solutions.number)
            from priority_totals left join claims on claims.id = target_id left join solutions on solutions.id = target_id
            cross join lateral (
              select sum(ln(1 + weight * evidence_decay(as_of))) as worth from actor_weights where actor_weights.target_id = priority_totals.target_id
            ) as sums
            where priority_totals.workspace_id = $1) as priority_totals,
           (select json_agg(array[actor, round(weight::numeric, 3)::text, actor_weights.signals::text] order by actor, weight)
            from actor_weights where workspace_id = $1) as sums,
           (select json_agg(array[state, classification, signals::text] order by state, classification)
            from signal_counts where workspace_id = $1 and signals > 0) as counts,
           (select json_agg(array[kind, entries::text] order by kind) from
              (select kind, count(*) as entries from search_entries where workspace_id = $1 group by kind) as found) as entries`,
        [id],
      )
      return rows[0]
    }
    const again = await seen(copy)
    assert.deepEqual(again, await seen(original))
    const differences = again.priority_totals.map(([, difference]: readonly string[]) => Number(difference))
    assert.deepEqual(new Set(differences), new Set([0]))
    const backlog = async (workspace: Workspace) =>
      (await workspace.inApp('lookup_backlog')).data.items.map(({ reference }: { reference: string }) => reference)
    assert.deepEqual(await backlog(copy), await backlog(original))
  })

  it('leaves ids of people and secrets alone', async () => {
    const original = await seeded('celesta')
    const copy = await kit.workspace()
    const text = await exported(original)
    assert.ok(!/sealed_secret|secret_hash|"hash"/.test(text))
    await imported(copy, text)
    const { rows } = await kit.database.pool.query(
      `select made_by, count(*)::int from decisions where workspace_id = any ($1) group by made_by`,
      [[original.id, copy.id]],
    )
    assert.equal(rows.length, 1)
    assert.equal(rows[0].made_by, original.caller.userId)
    const sources = await kit.database.pool.query(`select id, kind from sources where workspace_id = $1`, [copy.id])
    assert.ok(sources.rows.length > 0)
  })

  it('that is cancelled leaves nothing, and can be imported again', async () => {
    const text = await exported(await seeded('vibraphone'))
    // Long enough for several slices.
    const copy = await kit.workspace()
    const many = withMoreNotes(text, 1200)
    await imported(copy, many, 2)
    const { data } = await copy.inApp('list_jobs')
    assert.deepEqual([data.items[0].state, data.items[0].message], ['cancelled', null])
    await imported(copy, many)
    assert.deepEqual(rowsOf(await exported(copy)), rowsOf(many))
  })

  it('is refused when it is cut short, changed, newer or none', async () => {
    const text = await exported(await seeded('cimbalom'))
    const workspace = await kit.workspace()
    const lines = text.split('\n')
    const changed = (change: (header: ReturnType<typeof JSON.parse>) => void): string => {
      const header = JSON.parse(lines[0] ?? '')
      change(header)
      return [JSON.stringify(header), ...lines.slice(1)].join('\n')
    }
    const refusals: readonly (readonly [string, 'invalid_input' | 'unsupported', RegExp])[] = [
      [lines.slice(0, -5).join('\n'), 'invalid_input', /cut short/],
      [text.slice(0, text.length / 2), 'invalid_input', /Line \d+ should be|cut short/],
      [lines.toSpliced(5, 1).join('\n'), 'invalid_input', /should be/],
      [`${text}{"table":"signals","row":{}}\n`, 'invalid_input', /follows its last line/],
      [changed(header => (header.assay_export = 99)), 'unsupported', /version 99/],
      [changed(header => header.tables.push({ table: 'horses', rows: 0, columns: [] })), 'unsupported', /table horses/],
      [changed(header => header.tables[2].columns.push('mane')), 'unsupported', /column mane of sources/],
      ['{"assay_export":1}\n', 'invalid_input', /first line/],
    ]
    for (const [file, code, message] of refusals)
      await assert.rejects(upload(workspace, file), failsWith(code, message))
    const left = await kit.database.pool.query('select count(*)::int as count from transfers where workspace_id = $1', [
      workspace.id,
    ])
    assert.equal(left.rows[0].count, 0)
  })

  it('makes no more sources than a workspace may have', async () => {
    const text = await exported(await seeded('ocarina'))
    const workspace = await kit.workspace()
    const id = await upload(workspace, text)
    const { sources } = kit.quotas
    kit.quotas.sources = 0
    await assert.rejects(workspace.inApp('start_import', { id }), failsWith('quota_exceeded', /0 are allowed/))
    kit.quotas.sources = sources
    const { data } = await workspace.inApp('start_import', { id })
    await workspace.inApp('cancel_job', { id: data.job.id })
  })

  it('is for owners, and for a workspace that is empty', async () => {
    const workspace = await seeded('glass harmonica')
    const text = await exported(workspace)
    const id = await upload(workspace, text)
    await assert.rejects(workspace.inApp('start_export', {}, 'member'), failsWith('forbidden'))
    await assert.rejects(
      workspace.inApp('start_import', { id }),
      failsWith('conflict', /empty workspace, and this one has .*signals/),
    )
    await assert.rejects(workspace.inApp('start_import', { id }, 'member'), failsWith('forbidden'))
    const member = { ...workspace.caller, role: 'member' as const }
    const stores = { database: kit.database.database, sealer, quotas: kit.quotas, worker: kit.worker }
    await assert.rejects(receiveFile(stores, member, 'export.jsonl', inChunks(text)), failsWith('forbidden'))
  })
})

/** The export with so many notes more, each like the first but for its id. */
const withMoreNotes = (text: string, count: number): string => {
  const lines = text.trimEnd().split('\n')
  const header = JSON.parse(lines[0] ?? '')
  const at = lines.findIndex(line => line.startsWith('{"table":"knowledge_notes"'))
  const { row } = JSON.parse(lines[at] ?? '')
  const added = Array.from({ length: count }, (_, index) => {
    const id = `${row.id.slice(0, 24)}${index.toString(16).padStart(12, '0')}`
    const saved_at = new Date(Date.UTC(2026, 6, 1, 0, 0, index)).toISOString().replace('.000Z', '+00:00')
    return `{"table":"knowledge_notes","row":${JSON.stringify({ ...row, id, saved_at })}}`
  })
  for (const table of header.tables) if (table.table === 'knowledge_notes') table.rows += count
  const end = JSON.stringify({ end: JSON.parse(lines.at(-1) ?? '').end + count })
  return [JSON.stringify(header), ...lines.slice(1, at + 1), ...added, ...lines.slice(at + 1, -1), end, ''].join('\n')
}
