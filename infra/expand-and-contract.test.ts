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

/** Without what a migration takes away of what it has made or granted itself: no program knows that. */
const withoutOwn = (statements: string): string =>
  statements
    .replace(/\bdrop function (\w+)/gi, (whole, name) => (statements.includes(`create function ${name}(`) ? '' : whole))
    .replace(/\brevoke execute on function (\w+)/gi, (whole, name) =>
      statements.includes(`create function ${name}(`) ? '' : whole,
    )
    .replace(/\brevoke create on schema public from (\w+)/gi, (whole, role) =>
      statements.includes(`grant create on schema public to ${role}`) ? '' : whole,
    )

/** What a migration takes away without saying so, or why what it says is wrong. */
const faults = (migration: Migration, earlier: readonly Migration[]): readonly string[] => {
  const { name, statements, needs } = migration
  if (needs !== null)
    return earlier.some(other => other.name === needs)
      ? []
      : [`${name} names ${needs}, which is no migration before it`]
  const said = withoutOwn(withoutComments(statements))
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

test('a migration that contracts names one that programs may rely on', () => {
  const earlier = { ...migration(''), name: '0099_expand.sql' }
  assert.deepEqual(faults(migration('drop table claims;', '0099_expand.sql'), [earlier]), [])
  assert.equal(faults(migration('drop table claims;', '0098_other.sql'), [earlier]).length, 1)
})
