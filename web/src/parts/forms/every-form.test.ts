import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, it } from 'node:test'
import { NEW_FORMS } from '../../../tests/forms/new-forms.ts'
import { OPENED_FORMS } from '../../../tests/forms/opened-forms.ts'
import { SHARED_FORMS } from '../../../tests/forms/shared-forms.ts'

const SRC = join(import.meta.dirname, '../..')

/** Forms that no story opens to write in them, each with why. */
const NOT_OPENED: Readonly<Record<string, readonly string[]>> = {
  'parts/decision-dialog.tsx': ['It is in the forms of other files, whose stories write in it.'],
  'screens/claims/merged-meanwhile.tsx': ['It shows the words of the title field: web/tests/meanwhile.test.ts.'],
  'screens/board/board-dialogs.tsx': [
    'A rank is given by moving a row: web/tests/board.test.ts.',
    'It takes a rank away by a key of the row: web/tests/board.test.ts.',
  ],
  'screens/erase/retention.tsx': ['It has choices alone: query-api/operations/two-persons.test.ts has their versions.'],
  'screens/import-export/mapping-form.ts': ['It needs a file: web/tests/import-export.test.ts.'],
  'screens/installation/administrators.tsx': ['It is an administrator’s: web/tests/account.test.ts.'],
  'screens/installation/lost-access.tsx': [
    'It is an administrator’s: web/tests/account.test.ts.',
    'It is an administrator’s: web/tests/account.test.ts.',
  ],
  'screens/map/map-dialogs.tsx': [
    'It has a choice alone: web/tests/map.test.ts.',
    'It has nothing to write: web/tests/map.test.ts.',
  ],
  'screens/map/node-metrics.tsx': ['It needs a metric: web/tests/map.test.ts.'],
  'screens/map/rename-field.tsx': ['It is in a row of the tree: web/tests/map.test.ts.'],
  'screens/own-account/passkeys.tsx': [
    'A browser makes passkeys at an address with a name: web/tests/account.test.ts.',
    'It needs a passkey: web/tests/account.test.ts.',
  ],
  'screens/pipeline/dead-letters/dead-letter-actions.tsx': ['It needs dead letters: web/tests/pipeline.test.ts.'],
  'screens/pipeline/steps/steps.tsx': ['It is an administrator’s: web/tests/pipeline.test.ts.'],
  'screens/solutions/document/use-document.ts': [
    'The text is compared in a story of its own: web/tests/board.test.ts.',
  ],
}

/** Files whose fields are no form: they hold nothing that a person would write again. */
const NO_FORM: Readonly<Record<string, readonly string[]>> = {
  'what is looked for, or shown': [
    ...['parts/search-field.tsx', 'parts/filter-bar.tsx', 'parts/evidence/choose-list.tsx'],
    ...['parts/evidence/choose-box.tsx', 'screens/board/board-filters.tsx', 'screens/changes/changes.tsx'],
    ...['screens/explore/filters.tsx', 'screens/explore/answer-view.tsx', 'screens/explore/controls.tsx'],
    ...['screens/map/metric-card.tsx', 'screens/pipeline/trace-signal.tsx', 'screens/sources/source-health.tsx'],
    ...['screens/solutions/document/differences.tsx', 'screens/solutions/document/versions.tsx'],
    ...[
      'screens/decisions/decisions.tsx',
      'screens/triage/finder.tsx',
      'screens/erase/erase-person.tsx',
      'parts/picker.tsx',
    ],
  ],
  'a password, a secret, or a name that confirms': [
    ...['screens/account/forgot-password.tsx', 'screens/account/reset-password.tsx', 'screens/account/sign-up.tsx'],
    ...['screens/account/sign-in.tsx', 'screens/own-account/two-factor.tsx', 'screens/own-account/deletion.tsx'],
    ...['screens/erase/confirm-name.tsx', 'screens/erase/erase.tsx', 'screens/sources/send-test.tsx'],
    ...['screens/sources/senders-secret.tsx'],
  ],
  'a choice that is done at once, or one of some that are shown': [
    ...['screens/workspace/rules.tsx', 'screens/workspace/digest.tsx', 'screens/members/members.tsx'],
    ...['screens/claims/evidence-list.tsx', 'screens/claims/chosen-claims.tsx', 'parts/merging.tsx'],
    ...['screens/proposals/merge-likely.tsx', 'screens/proposals/merge-group-card.tsx'],
    ...['screens/proposals/likely-pairs.tsx', 'shell/key-help.tsx'],
  ],
  'a part of the forms of other files': [
    ...['parts/controls.tsx', 'parts/discussion/comment-field.tsx', 'screens/import-export/csv-mapping.tsx'],
    ...['screens/map/parent-select.tsx'],
  ],
}

const FORM = /\buse(?:New)?Form(?:<(?:[^<>()]|<[^<>()]*>)*>)?\(|\buseDraft\(/g
const FIELD =
  /<(?:LimitedInput|LimitedTextarea|TextInput|Textarea|NumberField|Select|SegmentedControl|Checkbox|Switch|Radio|EmailBox|PasswordBox|PasswordField)\b/
/** These ask whether something is being written, in a form of the same file. */
const ASKS = /\[draft\] = useDraft\(/g

const files = globSync('{parts,screens,shell}/**/*.{ts,tsx}', { cwd: SRC }).filter(
  file => !file.startsWith('parts/forms/') && !file.includes('.test.'),
)
const codeOf = (file: string): string => readFileSync(join(SRC, file), 'utf8')
const formsIn = (file: string): number =>
  (codeOf(file).match(FORM) ?? []).length - (codeOf(file).match(ASKS) ?? []).length

describe('Every form of the app', () => {
  it('is opened by a story, or says why none does', () => {
    const opened = [...SHARED_FORMS, ...NEW_FORMS, ...OPENED_FORMS]
    const listed = (file: string) =>
      new Set(opened.filter(form => form.file === file).map(({ form, name }) => form ?? name)).size +
      (NOT_OPENED[file]?.length ?? 0)
    const found = Object.fromEntries(files.flatMap(file => (formsIn(file) > 0 ? [[file, formsIn(file)]] : [])))
    const known = Object.fromEntries(files.flatMap(file => (listed(file) > 0 ? [[file, listed(file)]] : [])))
    assert.deepEqual(known, found, 'List a new form in web/tests/forms/opened-forms.ts, so that its story is told.')
    const other = [...opened.map(({ file }) => file), ...Object.keys(NOT_OPENED)].filter(file => !files.includes(file))
    assert.deepEqual(other, [])
  })

  it('keeps what is written: a file with fields has a form, or fields that hold nothing to be kept', () => {
    const excepted = Object.values(NO_FORM).flat()
    const bare = files.filter(file => FIELD.test(codeOf(file)) && formsIn(file) === 0)
    assert.deepEqual(
      bare.filter(file => !excepted.includes(file)),
      [],
    )
    assert.deepEqual(
      excepted.filter(file => !files.includes(file)).map(file => relative('.', file)),
      [],
    )
  })
})
