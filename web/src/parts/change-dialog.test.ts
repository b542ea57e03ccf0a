import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const WEB = join(import.meta.dirname, '../..')
const textsOf = (pattern: string, except = /\.test\.ts$/): readonly (readonly [file: string, text: string])[] =>
  globSync(pattern, { cwd: WEB })
    .filter(file => !except.test(file))
    .map(file => [file, readFileSync(join(WEB, file), 'utf8')])

const SOURCES = textsOf('src/**/*.{ts,tsx}')
const filesWith = (pattern: RegExp): readonly string[] =>
  SOURCES.flatMap(([file, text]) => (pattern.test(text) ? [file.replace(/^src\//, '')] : [])).toSorted()

describe('Every dialog that changes something', () => {
  it('is made of the one part that sends it once; what has a frame of its own sends nothing while it is open', () => {
    const others = {
      'parts/change-dialog.tsx': 'the one part',
      'parts/evidence/choose.tsx': 'finds, and is closed before anything is done with what was found',
      'parts/filter-bar.tsx': 'shows',
      'screens/map/node-drawer.tsx': 'shows; its form is the part’s',
      'screens/pipeline/dead-letters/inspection.tsx': 'shows',
      'screens/proposals/merge-likely.tsx': 'hands over to the review, which does one thing after the other',
      'screens/solutions/dialogs/score-explanation.tsx': 'shows',
      'screens/sources/revealed-source.tsx': 'shows',
      'screens/sources/sources.tsx': 'shows',
      'screens/themes/node-of-theme.tsx': 'finds a place, and is closed before the node is sent',
      'screens/themes/theme-picker.tsx': 'finds, and is closed before anything is done with what was found',
      'screens/triage/dialogs.tsx': 'is closed before what was decided is sent',
      'screens/triage/triage.tsx': 'shows',
      'shell/key-help.tsx': 'shows, with a choice that this browser keeps',
      'shell/words.tsx': 'shows',
    }
    assert.deepEqual(filesWith(/<(Modal|Drawer)\b/), Object.keys(others))
  })

  it('and every form and button sends through the one write, which waits for the answer to the first', () => {
    const others = {
      'api/operations.ts': 'calls, and is the one write',
      'parts/discussion/comment-item.tsx': 'is run by `useUndoableAction`, one at a time',
      'parts/discussion/discussion.tsx': 'is run by `useUndoableAction`, one at a time',
      'parts/evidence/undo.ts': 'is run by `useUndoableAction`, one at a time',
      'screens/board/use-move-solution.ts': 'is run by `useUndoableAction`, one at a time',
      'screens/claims/use-claim.ts': 'is run by `useUndoableAction`, one at a time',
      'screens/decisions/decisions.tsx': 'is run one at a time',
      'screens/map/proposed-places.tsx': 'is run by `useUndoableAction`, one at a time',
      'screens/proposals/use-merges.ts': 'sends one decision after the other',
      'screens/signals/signal-actions.tsx': 'is run by `useUndoableAction`, one at a time',
      'screens/themes/use-theme-acts.ts': 'is run by `useUndoableAction`, one at a time',
      'screens/triage/use-decide.ts': 'sends one decision after the other',
    }
    assert.deepEqual(filesWith(/\bcallOnce\(|\buseMutation\b|export const callOnce/), Object.keys(others))
  })

  it('is decided on in a story of a browser, which presses everything again', () => {
    const asked = SOURCES.flatMap(([, text]) =>
      [...text.matchAll(/<(?:Confirm|ChangeDialog|ChangeForm|DecisionDialog|NodeForm)\b[\s\S]*?\n\s*>/g)].map(([tag]) =>
        // Of what it is called, and of its verb, the words that are always there.
        [...tag.matchAll(/\b(?:title|action)=("[^"]+"|\{[^\n]+\})/g)].flatMap(([, said = '']) =>
          [...said.matchAll(/["'`]([A-Z][^"'`${]+)/g)].map(([, words = '']) => words.trim()),
        ),
      ),
    )
    const named = asked.filter(words => words.length > 0)
    assert.ok(named.length >= 40, `${named.length}`)
    const stories = textsOf('tests/**/*.ts', /^$/)
      .map(([, text]) => text)
      .join('\n')
    const untried = named.filter(words => !words.some(each => stories.includes(each)))
    assert.deepEqual(untried, [])
  })
})
