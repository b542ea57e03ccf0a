import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Migration, readMigrationsOf } from './migrations.ts'

/** The last migrations of the time before this rule, by the end of their names. */
const BASELINES = { postgres: '_moves.sql', clickhouse: '_erased_subjects.sql' } as const

/** What a program of the version before would stumble over. */
const TAKING_AWAY: readonly (readonly [what: string, statement: RegExp])[] = [
  ['drops a table, a column or a view', /\bdrop\s+(table|column|view|materialized view)\b/i],
  ['drops a function that programs may call', /\bdrop\s+function\b/i],
  ['renames', /\brename\s+(column\s+\w+\s+)?to\b|\brename\s+(table|column)\b/i],
  ['changes a type', /\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b|\bmodify\s+column\b/i],
  ['asks for a value that programs do not give', /\bset\s+not\s+null\b|\bdrop\s+default\b/i],
  [
    'adds a column that programs do not fill',
    /\badd\s+column\s+(?:if\s+not\s+exists\s+)?\w+\s+(?![^,;]*\b(default|generated)\b)[^,;]*\bnot\s+null\b/i,
  ],
  ['takes a right away', /\brevoke\b/i],
]

const withoutComments = (statements: string): string => statements.replace(/--.*$/gm, '')

/** Statements that take something back, and what must have been said before in the same file: that it was given. */
const TAKING_BACK: readonly (readonly [statement: RegExp, given: (name: string) => string])[] = [
  [/\bdrop function (\w+)/gi, name => `create function ${name}(`],
  [/\brevoke execute on function (\w+)/gi, name => `create function ${name}(`],
  [/\brevoke create on schema public from (\w+)/gi, role => `grant create on schema public to ${role}`],
]

/**
 * Without what a migration takes back after it has made or granted it itself: it is one transaction, so no program ever
 * sees it. What an earlier migration has given, and not taken back, is not its own.
 */
const withoutOwn = (statements: string, earlier: readonly Migration[]): string =>
  TAKING_BACK.reduce(
    (left, [statement, given]) =>
      left.replace(statement, (whole, name: string, at: number) => {
        const isOwn = left.slice(0, at).includes(given(name))
        const stood = earlier.some(
          other => other.statements.lastIndexOf(given(name)) > other.statements.lastIndexOf(whole),
        )
        return isOwn && !stood ? '' : whole
      }),
    statements,
  )

/** What a migration takes away without saying so, or why what it says is wrong. */
const faults = (migration: Migration, earlier: readonly Migration[]): readonly string[] => {
  const { name, statements, needs } = migration
  if (needs !== null)
    return earlier.some(other => other.name === needs)
      ? []
      : [`${name} names ${needs}, which is no migration before it`]
  const said = withoutOwn(withoutComments(statements), earlier)
  return TAKING_AWAY.filter(([, statement]) => statement.test(said)).map(([what]) => `${name} ${what}`)
}

for (const store of ['postgres', 'clickhouse'] as const) {
  test(`what is new in ${store} leaves the version before what it works with`, async () => {
    const migrations = await readMigrationsOf(new URL(`../schemas/${store}/`, import.meta.url))
    const baseline = migrations.findIndex(({ name }) => name.endsWith(BASELINES[store]))
    assert.notEqual(baseline, -1)
    const found = migrations.flatMap((migration, index) =>
      index <= baseline ? [] : faults(migration, migrations.slice(0, index)),
    )
    assert.deepEqual(found, [], 'See "Change the schema" in CONTRIBUTING.md.')
  })
}

const migration = (statements: string, needs: string | null = null): Migration => ({
  name: '0100_new.sql',
  statements,
  needs,
  checksum: '',
})

test('the rule finds each way to take something away, and nothing in what only adds', () => {
  for (const statement of [
    'alter table signals drop column text;',
    'drop table claims;',
    'alter table signals rename column text to words;',
    'alter table signals rename to messages;',
    'alter table signals alter column number type bigint;',
    'alter table signals alter column source set not null;',
    'alter table signals add column mood text not null;',
    'drop function evidence_decay(timestamptz);',
    'revoke select on signals from assay_app;',
    'ALTER TABLE activity MODIFY COLUMN kind UInt8;',
  ])
    assert.equal(faults(migration(statement), []).length, 1, statement)
  for (const statement of [
    `alter table signals add column mood text not null default '';`,
    'alter table signals add column mood text;',
    'create table moods (name text not null);',
    '-- drop table claims;\ncreate index by_mood on moods (name);',
  ])
    assert.deepEqual(faults(migration(statement), []), [], statement)
})

test('a migration may take back what it has given itself, and nothing that was there before', () => {
  const own = 'create function mend() returns void language sql as $$ select $$; select mend(); drop function mend();'
  const right = 'grant create on schema public to assay_app; revoke create on schema public from assay_app;'
  for (const statements of [own, right]) assert.deepEqual(faults(migration(statements), []), [], statements)
  const anew = 'drop function mend(); create function mend() returns void language sql as $$ select $$;'
  assert.equal(faults(migration(anew), []).length, 1)
  assert.equal(faults(migration(own), [migration('create function mend() returns int')]).length, 1)
  assert.equal(faults(migration('revoke create on schema public from assay_app;'), []).length, 1)
})

test('a migration that contracts names one that programs may rely on', () => {
  const earlier = { ...migration(''), name: '0099_expand.sql' }
  assert.deepEqual(faults(migration('drop table claims;', '0099_expand.sql'), [earlier]), [])
  assert.equal(faults(migration('drop table claims;', '0098_other.sql'), [earlier]).length, 1)
})
