import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { translatorBy } from './templates.ts'

const WORDS: Readonly<Record<string, string>> = { accepted: 'angenommen' }

const translate = translatorBy(
  {
    'No claim of this workspace is {name}.': 'Keine Aussage ist {name}.',
    'No {kind} of this workspace is {name}.': 'Nichts der Art {kind} ist {name}.',
    'A group is named "{name}" already.': 'Eine Gruppe heißt schon „{name}“.',
    'Nothing was changed.': 'Nichts wurde geändert.',
    '{signal} is {said}.': '{signal} ist {said}.',
    '{name} are kept apart: {words}.': '{name} bleiben getrennt: {words}.',
  },
  word => WORDS[word],
)

describe('What the service says, in another language', () => {
  it('is told by its template, with its values, sentence by sentence', () => {
    const said = {
      'No claim of this workspace is CLM-9. Nothing was changed.': 'Keine Aussage ist CLM-9. Nichts wurde geändert.',
      'No node of this workspace is N. Nothing was changed.': 'Nichts der Art node ist N. Nichts wurde geändert.',
      'SIG-7 and 3 others is accepted.': 'SIG-7 and 3 others ist angenommen.',
    }
    for (const [text, expected] of Object.entries(said)) assert.equal(translate(text), expected)
  })

  it('keeps what others wrote as it is, whatever it looks like', () => {
    const said = {
      'A group is named "Nothing was changed. {name} $& \\" already" already.':
        'Eine Gruppe heißt schon „Nothing was changed. {name} $& \\" already“.',
      'CLM-1 are kept apart: Nothing was changed. So it is.': 'CLM-1 bleiben getrennt: Nothing was changed. So it is.',
    }
    for (const [text, expected] of Object.entries(said)) assert.equal(translate(text), expected)
  })

  it('stays English where a sentence of it is not known, or is a person’s', () => {
    const texts = [
      'Nothing was changed. Look again.',
      'The export is accepted.',
      'SIG-7 is slow.',
      'No claim of this workspace is .',
      '',
    ]
    for (const text of texts) assert.equal(translate(text), text)
  })

  it('takes no time for what is made to be slow', () => {
    const before = process.threadCpuUsage()
    translate('No claim of this workspace is '.repeat(130))
    translate('. Nothing was changed'.repeat(150))
    translate('A group is named "'.repeat(200))
    const { user, system } = process.threadCpuUsage(before)
    assert.ok(user + system < 200_000, `${user + system} µs`)
  })
})
