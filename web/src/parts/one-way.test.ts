import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const SRC = join(import.meta.dirname, '..')
const sources = globSync('**/*.{ts,tsx}', { cwd: SRC })
  .filter(file => !file.endsWith('.test.ts'))
  .map(file => [file, readFileSync(join(SRC, file), 'utf8')] as const)
const allOf = (pattern: RegExp): readonly string[] =>
  sources.flatMap(([file, text]) => [...text.matchAll(pattern)].map(([, found = '']) => `${file}: ${found}`))

describe('Every screen', () => {
  it('names itself in the browser’s tab', () => {
    const screens = sources.filter(
      ([file, text]) => /^screens\//.test(file) && /export default /.test(text) && !/Chart|Spark/.test(file),
    )
    const named = new Set(
      sources.flatMap(([file, text]) =>
        /<(PageHeader|title|AccountPage|AccountFrame|Invitation)\b/.test(text) ? [file.split('/')[1]] : [],
      ),
    )
    assert.ok(screens.length > 20)
    assert.deepEqual(
      screens.filter(([file]) => !named.has(file.split('/')[1])).map(([file]) => file),
      [],
    )
  })

  it('highlights the rows of tables only where they can be clicked on', () => {
    assert.deepEqual(allOf(/<\w+\s[^>]*?(highlightOnHover)/g), ['parts/lists.tsx: highlightOnHover'])
  })

  it('has words in the head of every column, also where only screen readers read them', () =>
    assert.deepEqual(allOf(/<((?:th|Table\.Th)\b[^<]*?aria-label=)/g), []))

  it('says what is missing at each button that can do nothing, unless it is only busy', () => {
    const greyed = allOf(/<(?:Action)?(?:Button|ActionIcon|Menu\.Item)\b(?:[^>]|=>)*?\bdisabled=\{([^}]*)\}/g)
    const untold = greyed.filter(found => !/: (?:\w+\.)?(?:busy|isPending)$/.test(found))
    // The item of the menu says it in its second line, the form beside its button.
    assert.deepEqual(untold, [
      "screens/pipeline/jobs.tsx: kind === 're_judge' && lacksJudge",
      'parts/change-dialog.tsx: missing !== null',
    ])
  })

  it('has one form for one number: what is between none and all is a percentage, a priority has two places', () => {
    const others = allOf(/(toFixed\(|toPrecision\(|style: 'percent'|\)\} %)/g).filter(
      // Of what is drawn and of times, which have units of their own.
      found => !/^parts\/(formats|chart\/(line-chart|ticks))/.test(found),
    )
    assert.deepEqual(others, [])
  })

  it('has one form for one moment: as people in the reader’s region write it', () => {
    assert.deepEqual(
      allOf(
        /(DateTimeFormat\(language|toLocale(?:Date|Time)String\((?!moments)|Date\([^()]*\)\.toLocaleString\((?!moments))/g,
      ),
      [],
    )
  })

  it('takes from `schemas` how much a field holds and how long a day is', () => {
    // Codes of a second factor are no field of the product.
    assert.deepEqual(allOf(/<Limited\w+(?:[^>]|=>)*?\bmost=\{([\d_]+)\}/g).toSorted(), [
      'screens/account/sign-in.tsx: 20',
      'screens/own-account/two-factor.tsx: 7',
    ])
    assert.deepEqual(allOf(/(limit: \d{3,}|\.slice\(0, [1-9]00\))/g), [])
    assert.deepEqual(allOf(/\b(86_400_000|3_600_000|60_000|(?:DAY|HOUR|MINUTE)_MS = )/g), [])
  })

  it('has no field that cuts off what is pasted into it: one that has a limit says by how much a text is too long', () => {
    assert.deepEqual(allOf(/\b(maxLength)=/g), [])
    const limited = allOf(/<(Limited(?:Input|Textarea))\b/g)
    assert.ok(limited.length > 40, `${limited.length}`)
  })

  it('calls one thing by the one name that the glossary has for it', () => {
    const glossary = readFileSync(join(SRC, '../../docs/glossary.md'), 'utf8')
    /**
     * What labels and headings said before, or might: each with the word for it. Sentences may speak of programs that
     * send.
     */
    const names = {
      'Senders?': 'Actor',
      'People|Speakers?|Authors?': 'Actor',
      Priority: 'Evidence priority',
      'Similarity|Confidence': 'Chance',
      'Snippets?': 'Signal',
      'Tickets?|Features?|Epics?': 'Solution',
      'Insights?': 'Claim',
      'Topics?|Categor(?:y|ies)': 'Map, node',
      Duplicates: 'Occurrence',
    }
    for (const [other, name] of Object.entries(names)) {
      assert.ok(glossary.includes(`**${name}`), name)
      const label = new RegExp(
        `(?:label|title|aria-label)[=:] ?(?:\\{?t\\()?["'\`](${other})["'\`]|>\\s*(?:\\{t\\(')?(${other})(?:'\\)\\})?\\s*</`,
        'g',
      )
      assert.deepEqual(allOf(label), [], `${other} is called ${name}`)
    }
  })
})
