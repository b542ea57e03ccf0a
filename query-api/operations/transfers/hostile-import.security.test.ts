import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { checkedExport, checkStoredRows } from '../../../model/transfers/workspace/check-export.ts'
import { rowCheck } from '../../../model/transfers/workspace/check-row.ts'
import { storedCheck, storedRow } from '../../../model/transfers/workspace/check-stored.ts'
import { masked, maskOf, writeExport } from '../../../model/transfers/workspace/exported-rows.ts'
import { insertRows } from '../../../model/transfers/workspace/fill-workspace.ts'
import { MAX_EXPORT_ROWS, readRules, type TableRules } from '../../../model/transfers/workspace/rules.ts'
import { newId } from '../../../schemas/domain/ids.ts'
import type { ExportHeader } from '../../../schemas/transfers/workspace-export.ts'
import { type OperationsKit, startOperations, type Workspace } from '../testing.ts'
import { seedEverything } from '../testing-seed.ts'

type Fields = Record<string, unknown>
interface Line {
  readonly table: string
  readonly row: Fields
}
interface File {
  readonly header: ExportHeader
  readonly lines: readonly Line[]
}

let kit: OperationsKit
let rules: ReadonlyMap<string, TableRules>
let real: File
let victim: Workspace
let foreignId: string

before(async () => {
  kit = await startOperations()
  const original = await kit.workspace()
  await seedEverything(kit, original, 'ocarina')
  victim = await kit.workspace()
  foreignId = (await victim.signal({ text: 'Not yours.' })).id
  rules = await kit.database.database.transaction({ role: 'assay_app', workspaceId: original.id }, readRules)
  real = await exported(original)
})
after(() => kit.stop())

const exported = async ({ id: workspaceId }: Workspace): Promise<File> => {
  const texts: string[] = []
  const { header } = await kit.database.database.transaction({ role: 'assay_transfer', workspaceId }, transaction =>
    writeExport(transaction, workspaceId, async line => void texts.push(line)),
  )
  return { header, lines: texts.slice(1, -1).map(text => JSON.parse(text)) }
}

/** The first line says how many rows there are, so that what is wrong with a row is all that is wrong. */
const textOf = ({ header, lines }: File): string => {
  const counted = header.tables.map(table => ({
    ...table,
    rows: lines.filter(line => line.table === table.table).length,
  }))
  const all = [{ ...header, tables: counted }, ...lines, { end: lines.length }]
  return all.map(line => `${JSON.stringify(line)}\n`).join('')
}

/** Why a file is refused; null when it is taken. Whatever else it throws fails the test. */
const refusal = async (text: string): Promise<string | null> => {
  try {
    const check = checkedExport(rules)
    const rows = check.add(Buffer.from(text))
    const checkStored = checkStoredRows(rules)
    await kit.database.database.transaction({ role: 'assay_app', workspaceId: victim.id }, each =>
      checkStored(each, rows),
    )
    check.end()
    return null
  } catch (error) {
    assert.ok(isAssayError(error) && /^(invalid_input|unsupported|too_large)$/.test(error.code), String(error))
    return error.publicMessage
  }
}

/** All of a file in an empty workspace, as the slices of the job write it. */
const imported = async ({ lines }: File): Promise<Workspace> => {
  const copy = await kit.workspace()
  await kit.database.database.transaction({ role: 'assay_transfer', workspaceId: copy.id }, async transaction => {
    await transaction.query('update workspaces set id_mask = $2 where id = $1', [copy.id, maskOf(copy.id)])
    for (const table of rules.keys()) {
      const rows = lines.filter(line => line.table === table).map(({ row }) => row)
      const secret = (of: string) => (of === 'sources' ? { secret_hash: '\\x00' } : {})
      await insertRows(transaction, copy.id, { table, rows }, secret)
    }
  })
  return copy
}

const everythingOfVictim = async (): Promise<string> => JSON.stringify((await exported(victim)).lines)

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)

/** What an enemy puts into a field, whatever it is. */
const VALUES: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 63,
  1e308,
  true,
  '',
  ' ',
  'x\u0000',
  '\ud800',
  "'; drop table signals; --",
  'x'.repeat(120),
  'é'.repeat(200_001),
  'infinity',
  '0000-00-00T00:00:00+00:00',
  '2026-02-30T00:00:00+00:00',
  '9999-12-31T23:59:59+00:00',
  '0044-03-15T12:00:00+00:00',
  '294276-12-31T23:59:59+00:00',
  [],
  [null],
  ['x'],
  {},
  { a: 'x\u0000' },
  nested(63),
  nested(65),
  nested(5_000),
]

/**
 * Fields that a re-export of what was imported does not have as the file had them: `table.field`. Rows are told by
 * their order.
 */
const changesOnTheWay = async (before: File, after: File): Promise<ReadonlySet<string>> => {
  const found = new Set<string>()
  for (const table of rules.keys()) {
    const [given, got] = [before, after].map(({ lines }) =>
      lines.filter(line => line.table === table).map(({ row }) => row),
    )
    assert.equal(got?.length, given?.length, table)
    // The order follows fields, which may have been changed.
    const keyOf = (row: Fields): string => String(row.id ?? '') || JSON.stringify(row)
    const byKey = new Map(got?.map(row => [keyOf(row), row]))
    for (const [at, row] of (given ?? []).entries()) {
      const other = byKey.get(keyOf(row)) ?? got?.[at]
      for (const name of Object.keys(row))
        if (!isDeepStrictEqual(row[name], other?.[name])) found.add(`${table}.${name}`)
    }
  }
  return found
}

/** What is changed on the way, each as docs/decisions/0051-what-a-body-may-cost.md says why. */
const CHANGED_ON_THE_WAY: readonly string[] = [
  'map_nodes.middle',
  'map_nodes.spread',
  'merge_proposals.score',
  'merge_proposals.similarity',
  'node_lessons.from_score',
  'occurrences.similarity',
  'signals.classification_confidence',
  'signals.left_node_score',
  'signals.node_score',
]

/** The file with one field of one row changed. */
const withField = (file: File, at: number, name: string, value: unknown): File => ({
  ...file,
  lines: file.lines.map((line, index) => (index === at ? { ...line, row: { ...line.row, [name]: value } } : line)),
})

/** Quickly: the rows alone, without the database, as most of it is refused there already. */
const isWellFormed = (file: File): boolean => {
  try {
    const check = checkedExport(rules)
    check.add(Buffer.from(textOf(file)))
    check.end()
    return true
  } catch (error) {
    assert.ok(isAssayError(error) && /^(invalid_input|unsupported|too_large)$/.test(error.code), String(error))
    assert.match(error.publicMessage, /Line \d+, a row of \w+: .+ Nothing was imported/)
    return false
  }
}

const firstLines = (): (readonly [at: number, line: Line])[] =>
  [...rules.keys()].flatMap(table => {
    const at = real.lines.findIndex(line => line.table === table)
    return at === -1 ? [] : [[at, real.lines[at] as Line] as const]
  })

describe('An export as an enemy would write it', () => {
  it('is taken as it is by itself', async () => {
    assert.equal(await refusal(textOf(real)), null)
  })

  it('with any field of any table changed is refused by line, or imported and no other workspace touched', async () => {
    const before = await everythingOfVictim()
    let refused = 0
    let taken = 0
    const changed = new Set<string>()
    const check = rowCheck(rules)
    const columnsOf = (table: string) => real.header.tables.find(each => each.table === table)?.columns ?? []
    for (const { table, row } of real.lines) assert.equal(check(table, columnsOf(table), row), null)
    for (const value of VALUES) {
      // All fields that take the value, together in one file: what is well-formed is kept, where the table may hold the
      // row too.
      let file = real
      for (const [at, { table, row }] of firstLines()) {
        const mayBeStored = async (candidate: typeof row): Promise<boolean> =>
          (await kit.database.database.transaction({ role: 'assay_app', workspaceId: victim.id }, each =>
            storedCheck(rules)(each, { table, lines: [at + 2], json: `[${storedRow(candidate)}]` }),
          )) === null
        let wellFormed = row
        let stored = row
        for (const name of Object.keys(row)) {
          const next = { ...wellFormed, [name]: value }
          if (check(table, columnsOf(table), next) === null) wellFormed = next
          else refused += 1
        }
        if (wellFormed === row) continue
        if (await mayBeStored(wellFormed)) stored = wellFormed
        else {
          refused += 1
          if (typeof value !== 'number') continue
          // The table bounds one of the numbers: the others are tried without it.
          for (const name of Object.keys(row)) {
            const next = { ...stored, [name]: wellFormed[name] ?? null }
            if (wellFormed[name] !== row[name] && (await mayBeStored(next))) stored = next
          }
        }
        if (stored !== row) file = { ...file, lines: file.lines.with(at, { table, row: stored }) }
      }
      const why = await refusal(textOf(file))
      if (why !== null) refused += 1
      else if (file !== real) {
        const copy = await imported(file)
        const changes = file.lines.filter((line, at) => line !== real.lines[at])
        for (const change of await changesOnTheWay(file, await exported(copy))) changed.add(change)
        assert.ok(changes.length > 0)
        taken += 1
      }
    }
    assert.deepEqual([...changed].sort(), CHANGED_ON_THE_WAY)
    assert.equal(await everythingOfVictim(), before)
    assert.ok(refused > 3000 && taken > 3, `${refused} refused, ${taken} taken`)
  })

  it('with a reference to what is not above it is refused, whatever it refers to', async () => {
    for (const [at, { table, row }] of firstLines())
      for (const { columns } of rules.get(table)?.references ?? [])
        for (const column of columns) {
          if (typeof row[column] !== 'string') continue
          for (const id of [newId(), foreignId, masked(foreignId, maskOf(victim.id)), String(row.id ?? newId())])
            if (id !== row[column])
              assert.equal(isWellFormed(withField(real, at, column, id)), false, `${table}.${column}`)
        }
  })

  it('with rows above themselves, by one, two or many, is refused', async () => {
    for (const [table, column] of [
      ['map_nodes', 'parent_id'],
      ['claims', 'merged_into'],
    ] as const)
      for (const length of [1, 2, 40]) {
        const at = real.lines.findIndex(line => line.table === table)
        const ids = Array.from({ length }, () => newId())
        const rows = ids.map((id, index) => ({
          table,
          row: { ...real.lines[at]?.row, id, [column]: ids.at(index - 1), name: `N ${id}`, number: 900 + index },
        }))
        const row = table === 'claims' ? rows.map(each => omit(each, 'name')) : rows.map(each => omit(each, 'number'))
        assert.equal(isWellFormed({ ...real, lines: real.lines.toSpliced(at, 0, ...row) }), false, `${table} ${length}`)
      }
  })

  it('with rows that lack a field, have one more, are no objects or stand twice is refused', async () => {
    for (const [at, { table, row }] of firstLines()) {
      const [name = ''] = Object.keys(row)
      const changes: readonly unknown[] = [omit({ table, row }, name).row, { ...row, horse: 1 }, [row], null, 'row', 7]
      for (const change of changes) {
        const lines = real.lines.toSpliced(at, 1, { table, row: change as Fields })
        assert.equal(isWellFormed({ ...real, lines }), false, `${table} ${JSON.stringify(change)?.slice(0, 60)}`)
      }
      // A table whose rows have no name of their own has equal ones by right.
      if (table === 'workspaces' || rules.get(table)?.uniques.length === 0) continue
      const twice = await refusal(textOf({ ...real, lines: real.lines.toSpliced(at, 0, { table, row }) }))
      assert.match(String(twice), /another line of \w+ has the same|must name|\bLine\b/, table)
    }
  })

  it('with a first line that is endless, repeated or out of order is refused', async () => {
    const { tables } = real.header
    const [first, second] = tables
    assert.ok(first && second)
    const headers: readonly ExportHeader['tables'][] = [
      [first, first, ...tables.slice(1)],
      [second, first, ...tables.slice(2)],
      Array.from({ length: 100_000 }, () => ({ table: 'claims', rows: 0, columns: [] })),
      tables.map(table => ({ ...table, columns: [...table.columns, ...table.columns] })),
      tables.map(table => ({ ...table, columns: [] })),
    ]
    for (const changed of headers) {
      const text = [{ ...real.header, tables: changed }, { end: 0 }].map(line => `${JSON.stringify(line)}\n`).join('')
      assert.notEqual(await refusal(text), null)
    }
    const many = { ...real.header, tables: tables.map(table => ({ ...table, rows: MAX_EXPORT_ROWS })) }
    assert.match(String(await refusal(`${JSON.stringify({ ...many, tables: many.tables.slice(1) })}\n`)), /at most/)
  })

  it('of very many rows of one parent is checked in memory that does not grow with them', async () => {
    const rows = Number(process.env.HOSTILE_IMPORT_ROWS ?? 3_000)
    const at = real.lines.findIndex(line => line.table === 'map_nodes')
    const parent = real.lines[at]
    assert.ok(parent)
    const table = real.header.tables.find(each => each.table === 'map_nodes')
    const header = { ...real.header, tables: [{ ...table, rows: rows + 1 }] }
    const check = checkedExport(rules)
    const checkStored = checkStoredRows(rules)
    check.add(Buffer.from(`${JSON.stringify(header)}\n${JSON.stringify(parent)}\n`))
    const heapBefore = process.memoryUsage()
    let held = 0
    for (let made = 0; made < rows; ) {
      const lines: string[] = []
      for (let part = 0; part < 500 && made < rows; part += 1, made += 1) {
        const row = { ...parent.row, id: newId(), parent_id: parent.row.id, name: `Node ${made}` }
        lines.push(`${JSON.stringify({ table: 'map_nodes', row })}\n`)
      }
      const stored = check.add(Buffer.from(lines.join('')))
      await kit.database.database.transaction({ role: 'assay_app', workspaceId: victim.id }, each =>
        checkStored(each, stored),
      )
      held = Math.max(held, process.memoryUsage().arrayBuffers - heapBefore.arrayBuffers)
    }
    check.add(Buffer.from(`${JSON.stringify({ end: rows + 1 })}\n`))
    assert.equal(check.end().header.tables[0]?.rows, rows + 1)
    assert.ok(held < 16 * 1024 * 1024 + rows * 200, `${held} bytes`)
  })
})

const omit = ({ table, row }: Line, name: string): Line => ({
  table,
  row: Object.fromEntries(Object.entries(row).filter(([key]) => key !== name)),
})

describe('What hangs on claims', () => {
  const onClaim = (claim: unknown): File => ({
    ...real,
    lines: real.lines.map(line =>
      line.table === 'claim_evidence' ? { ...line, row: { ...line.row, claim_id: claim } } : line,
    ),
  })

  it('names a claim of the file', async () => {
    assert.match(
      (await refusal(textOf(onClaim(newId())))) ?? '',
      /claim_id must name a row of claims on a line above it/,
    )
  })

  it('goes to the claim that lives on, where the file has it on one that was merged away', async () => {
    const merged = real.lines.find(({ table, row }) => table === 'claims' && row.merged_into !== null)?.row
    assert.ok(merged)
    const { lines } = await exported(await imported(onClaim(merged.id)))
    const evidence = lines.flatMap(({ table, row }) =>
      table === 'claim_evidence' ? [[row.claim_id, row.origins]] : [],
    )
    assert.deepEqual(evidence, [[merged.merged_into, [merged.id]]])
  })
})
