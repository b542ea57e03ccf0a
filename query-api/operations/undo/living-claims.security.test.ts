import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { violates } from '../../../infra/postgres/errors.ts'
import { migratePostgres } from '../../../infra/postgres/migrate.ts'
import { silentLogger } from '../../../infra/postgres/testing-embedded.ts'
import type { CallResult } from '../call/contract.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'
import { assertKeptCounts } from './walk/stored.testing.ts'

let kit: OperationsKit
let workspace: Workspace
before(async () => {
  kit = await startOperations()
  workspace = await kit.workspace()
})
after(() => kit.stop())

const COMMENT = { comment: 'The team agreed on it.' }
const run = (name: string, input: object): Promise<CallResult> => workspace.run(name, input)
const undo = (result: CallResult) => run('undo_change', { change_id: result.meta.change_id })
const data = (result: CallResult): ReturnType<typeof JSON.parse> => JSON.parse(JSON.stringify(result.data))
const merge = (claim: { readonly id: string }, into: { readonly id: string }) =>
  run('merge_claims', { claim_id: claim.id, into_claim_id: into.id, lift_refusal: true, ...COMMENT })

const sql = async (statement: string, values: readonly unknown[] = []) =>
  (await kit.database.pool.query(statement, [...values])).rows

/** A claim with so many signals of its own. */
const claimed = async (title: string, count = 1) => {
  const signals = []
  for (let at = 0; at < count; at += 1) signals.push(await workspace.signal({ text: `${title}, said ${at}.` }))
  return { ...(await workspace.claim(title, signals)), signals }
}

const CLAIMS = `
  select 'CLM-' || number as reference from claim_evidence join claims on claims.id = claim_id
  where signal_id = $1 and merged_into is null order by number`

/** The references of the claims, of those that live, that a signal is evidence of. */
const claimsOf = async (signal: { readonly id: string } | undefined): Promise<readonly string[]> =>
  (await sql(CLAIMS, [signal?.id])).map(({ reference }) => reference)

test('a split is not taken back into a claim that was merged away since; once that is taken back, it is', async () => {
  const [a, c] = [await claimed('Ropes', 2), await claimed('Cords')]
  const [signal] = a.signals
  const split = await run('split_claim', { claim_id: a.id, signal_ids: [signal?.id] })
  const own = data(split).claim.reference
  const merged = await merge(a, c)
  await assert.rejects(
    undo(split),
    failsWith(
      'conflict',
      new RegExp(`^${a.reference} was merged into ${c.reference} since.*action undo, claim_id ${a.reference}`),
    ),
  )
  assert.deepEqual(await claimsOf(signal), [own])
  await undo(merged)
  await undo(split)
  assert.deepEqual(await claimsOf(signal), [a.reference])
})

test('a merge is not done again into a claim that was merged away since', async () => {
  const [a, b, c] = [await claimed('Bells'), await claimed('Chimes'), await claimed('Gongs')]
  const undone = await undo(await merge(a, b))
  await merge(b, c)
  await assert.rejects(undo(undone), failsWith('conflict', new RegExp(`${b.reference} was merged into ${c.reference}`)))
  assert.deepEqual(await claimsOf(a.signals[0]), [a.reference])
})

test('a Solution’s link does not come back to a claim that was merged away since', async () => {
  const [a, b] = [await claimed('Strings'), await claimed('Wires')]
  const made = data(await run('create_solution', { title: 'Longer strings', claim_ids: [a.id], ...COMMENT }))
  const solution_id = made.solution.id
  const unlinked = await run('update_solution', { solution_id, remove_claim_ids: [a.id], ...COMMENT })
  await merge(a, b)
  await assert.rejects(undo(unlinked), failsWith('conflict', new RegExp(`${a.reference} was merged into`)))
})

test('the database itself refuses evidence and links on a claim that was merged away, in whatever order they come', async () => {
  const [a, b] = [await claimed('Flutes', 2), await claimed('Pipes')]
  const scope = { role: 'assay_app', workspaceId: workspace.id } as const
  const away = 'update claims set merged_into = $2 where id = $1'
  const attempt = (work: (query: (statement: string, values: unknown[]) => Promise<unknown>) => Promise<unknown>) =>
    kit.database.database.transaction(scope, transaction => work((...asked) => transaction.query(...asked)))
  await assert.rejects(
    attempt(query => query(away, [a.id, b.id])),
    error => violates(error, 'claim_evidence_of_living_claim') && failsWith('busy')(error),
  )
  await merge(a, b)
  for (const [table, object, values] of [
    ['claim_evidence', 'signal_id, attached_by, actor, reason', `$3, 'member', 'Owner', 'Mine.'`],
    ['solution_claims', 'solution_id', '$3'],
  ] as const) {
    const solution = data(await run('create_solution', { title: 'A longer flute', ...COMMENT })).solution.id
    const hung = table === 'claim_evidence' ? a.signals[0]?.id : solution
    await assert.rejects(
      attempt(query =>
        query(`insert into ${table} (workspace_id, claim_id, ${object}) values ($1, $2, ${values})`, [
          workspace.id,
          a.id,
          hung,
        ]),
      ),
      error => violates(error, `${table}_of_living_claim`),
    )
  }
})

/** What 0050 and 0051 made, taken away. */
const BEFORE = `
  alter table claim_evidence drop constraint claim_evidence_of_living_claim, drop column claim_living,
    add foreign key (workspace_id, claim_id) references claims (workspace_id, id);
  alter table solution_claims drop constraint solution_claims_of_living_claim, drop column claim_living,
    add foreign key (workspace_id, claim_id) references claims (workspace_id, id);
  alter table claims drop constraint claims_living, drop column living;
  drop trigger removed_signals_counted on signals;
  drop function count_removed_signals();
  delete from schema_migrations where name >= '0050' and name < '0052'`

test('the migration moves what hung on merged claims to the claims that live on, and counts it there', async () => {
  const [a, b, c, other] = [
    await claimed('One', 2),
    await claimed('Two', 2),
    await claimed('Three'),
    await claimed('Other'),
  ]
  const solution = data(await run('create_solution', { title: 'All of it', claim_ids: [a.id], ...COMMENT })).solution.id
  const [first, second] = a.signals
  await merge(a, b)
  await merge(b, c)
  await kit.database.pool.query(BEFORE)
  // As undo left them: evidence of its own on a merged claim, what had come to one, and what its survivor has, too.
  const hang = `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason, origins)
    values ($1, $2, $3, 'cluster', 'test', 'Undone.', $4)`
  await sql('delete from claim_evidence where claim_id = $1 and signal_id = any ($2)', [c.id, [first?.id, second?.id]])
  await sql(hang, [workspace.id, a.id, first?.id, []])
  await sql(hang, [workspace.id, b.id, second?.id, [a.id]])
  await sql(hang, [workspace.id, b.id, b.signals[0]?.id, []])
  await sql('delete from solution_claims where solution_id = $1', [solution])
  await sql('insert into solution_claims (workspace_id, solution_id, claim_id) values ($1, $2, $3)', [
    workspace.id,
    solution,
    a.id,
  ])

  await migratePostgres(kit.database.pool, { logger: silentLogger })

  for (const signal of [first, second, b.signals[0], c.signals[0]])
    assert.deepEqual(await claimsOf(signal), [c.reference])
  assert.deepEqual(await claimsOf(other.signals[0]), [other.reference], 'what was well stays')
  assert.deepEqual(await sql('select claim_id from solution_claims where solution_id = $1', [solution]), [
    { claim_id: c.id },
  ])
  await kit.database.database.transaction({ role: 'assay_transfer', workspaceId: workspace.id }, transaction =>
    assertKeptCounts(transaction, workspace.id),
  )
  // Each goes with the claim that it belongs to.
  await run('triage', { action: 'undo', claim_id: b.reference })
  await run('triage', { action: 'undo', claim_id: a.reference })
  assert.deepEqual([await claimsOf(first), await claimsOf(second)], [[a.reference], [a.reference]])
  assert.deepEqual(await claimsOf(b.signals[0]), [b.reference])
})

/**
 * Every column that names a claim or a Solution, and why it may name one that was merged away. Solutions are merged
 * into no other, so what names them needs nothing.
 */
const MAY_NAME_MERGED: Readonly<Record<string, string>> = {
  'claims.merged_into': 'A chain of merges: the claim that it lives on in is at its end.',
  'merges.merged_claim_id': 'What was merged, and is pulled apart again.',
  'merges.survivor_claim_id': 'Into what it was merged; that one may have been merged since.',
  'merge_proposals.claim_id': 'A pair that was proposed or is kept apart: it holds for what the claims live on in.',
  'merge_proposals.candidate_claim_id': 'As above.',
  'strategy_claims.claim_id': 'Read as what the claim lives on in, and back when it is pulled apart.',
  'knowledge_notes.claim_id': 'Written about that claim; read with all that was merged into one.',
  'comments.claim_id': 'As a note.',
}

test('every reference to a claim is one to a claim that lives, or says why it need not be', async () => {
  const references = await sql(
    `select conrelid::regclass || '.' || own.attname as named, confrelid::regclass::text as names,
       exists (select from unnest(confkey) as key join pg_attribute on attrelid = confrelid and attnum = key
         where attname = 'living') as lives
     from pg_constraint cross join lateral unnest(conkey) as key
       join pg_attribute as own on own.attrelid = conrelid and own.attnum = key
     where contype = 'f' and confrelid = 'claims'::regclass and own.attname not in ('workspace_id', 'claim_living')`,
  )
  const free = references.filter(({ lives }) => !lives).map(({ named }) => named)
  assert.deepEqual(free.toSorted(), Object.keys(MAY_NAME_MERGED).toSorted())
  assert.deepEqual(
    references
      .filter(({ lives }) => lives)
      .map(({ named }) => named)
      .toSorted(),
    ['claim_evidence.claim_id', 'solution_claims.claim_id'],
  )
  const mergeable =
    await sql(`select attrelid::regclass::text as name from pg_attribute join pg_class on pg_class.oid = attrelid
     where attname = 'merged_into' and relkind = 'r'`)
  assert.deepEqual(mergeable, [{ name: 'claims' }], 'nothing but claims is merged into another')
})
