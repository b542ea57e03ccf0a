import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { EditorSelection, EditorState, type StateCommand } from '@codemirror/state'
import { MAX_CHARACTERS } from '../../schemas/domain/limits.ts'
import { assertLinear, LONG } from '../../test/cost/measure.testing.ts'
import { filled } from '../../test/cost/units.testing.ts'
import { type Templates, translatorBy } from './language/templates.ts'
import { partsOf } from './parts/discussion/parts-of.ts'
import { differing, matching } from './parts/evidence/matching.ts'
import { clip, queryOf } from './parts/formats.ts'
import { filtersOf } from './screens/explore/question.ts'
import { parseDifferences } from './screens/solutions/document/parse-differences.ts'
import { inItem, LIST, moveInTable, toggleLines } from './screens/solutions/document/writing/commands.ts'
import { boundedMarkdown } from './screens/solutions/document/writing/markdown-language.ts'
import { htmlOf } from './screens/solutions/markdown/html.testing.ts'
import { toggleTask } from './screens/solutions/markdown/toggle-task.ts'
import { findWords, fromFirstMark } from './screens/triage/found-words.ts'

/** What a browser does with a text of a stranger, and the longest text that it does this with. */
interface TextReader {
  readonly maxCharacters: number
  readonly read: (text: string) => unknown
}

const language = boundedMarkdown().language.parser
const service: Templates = JSON.parse(readFileSync(new URL('../messages/service.de.json', import.meta.url), 'utf8'))
const translate = translatorBy(service, () => undefined)
const NAMES = Array.from({ length: 200 }, (_, place) => `Person ${place} of the a team`)

/** Runs a command of the editor with all of a text selected, or with the cursor at its end. */
const withEditor =
  (command: StateCommand, from: number | 'end') =>
  (text: string): void => {
    const selection = EditorSelection.single(from === 'end' ? text.length : from, text.length)
    const doc = text.replaceAll(/\r\n?/g, '\n').padEnd(text.length)
    command({ state: EditorState.create({ doc, selection }), dispatch: () => undefined })
  }

const { document: DOCUMENT, discussion: DISCUSSION } = MAX_CHARACTERS
/** Of a signal, which may be as long as its body. */
const SIGNAL = 200_000

const READERS: Readonly<Record<string, TextReader>> = {
  'shows Markdown': { maxCharacters: DOCUMENT, read: htmlOf },
  'ticks a task': { maxCharacters: DOCUMENT, read: text => toggleTask(text, 0) },
  'colours Markdown in the editor': { maxCharacters: DOCUMENT, read: text => language.parse(text) },
  'makes a list of all lines': { maxCharacters: DOCUMENT, read: withEditor(toggleLines(LIST), 0) },
  'goes to the next cell of a table': { maxCharacters: DOCUMENT, read: withEditor(moveInTable(1), 'end') },
  'looks for an item to indent': {
    maxCharacters: DOCUMENT,
    read: withEditor(
      inItem(() => true),
      'end',
    ),
  },
  'shows the differences of two versions': { maxCharacters: 2 * DOCUMENT, read: parseDifferences },
  'shows a comment': { maxCharacters: DISCUSSION, read: text => partsOf(text, NAMES) },
  'clips a quote': { maxCharacters: SIGNAL, read: text => [clip(text, 600), queryOf(text)] },
  'marks the words of a search': { maxCharacters: SIGNAL, read: text => fromFirstMark(findWords(text, queryOf(text))) },
  'marks what two texts share': {
    maxCharacters: SIGNAL,
    read: text => matching(text, `b ${text}`).map(differing),
  },
  'translates a sentence of the service': { maxCharacters: SIGNAL, read: translate },
  'translates a sentence that quotes a stranger': {
    maxCharacters: 4000,
    read: text => translate(`No claim is "${text.slice(0, 3900)}".`),
  },
  'reads the filters of an address': { maxCharacters: SIGNAL, read: filters => filtersOf({ filters }) },
}

/** What Markdown has marks for, what looks like an address, a name or a mark of a version, and odd characters. */
const UNITS: readonly string[] = [
  ...['*', '**', '*a ', 'a* ', '**a*', '_', '_a ', 'a_ ', '__a', '*a_ ', '_*a', '~~', '~~a', '`', '`a``', '***a'],
  ...[
    '[',
    ']',
    '[a',
    'a]',
    '[a](',
    '[a](b',
    '[a](<b',
    '[a](b "',
    '[](',
    '![',
    '![[]()',
    '[a][',
    '[a]: b "c\n',
    '[a]: u\n',
  ],
  ...[
    '[ (](',
    '**x [a*b**c*](d)',
    '<',
    '<a',
    '</a',
    '<!--',
    '<?',
    '<![CDATA[',
    '<!A ',
    '<a@',
    '<m:',
    '</<!--',
    '<div>\n',
  ],
  ...['&', '&amp', '&#x', '&a;', '\\', '\\[', '- ', '* ', '*\t', '+\n', '1. ', '- a\n', '  - a\n    b\n', '- [ ] a\n'],
  ...[
    '> ',
    '> - ',
    '>',
    '> a\n',
    '# ',
    '#',
    ' #',
    '\n# a',
    '===\n',
    'a\n',
    'a\n\n',
    'a\n===\n',
    '---\n',
    '-',
    '- - ',
    '```\n',
  ],
  ...[
    '~~~',
    '```a\n',
    '|',
    '|a',
    '|a|\n|-|\n',
    '|-',
    ' |',
    '\\|',
    '    a\n',
    '\t',
    ' ',
    '  \n',
    '\n',
    '\r',
    '\r\n',
    '\0',
  ],
  ...['\u2028', '\u2029', '\u0085', ' \u2028', '\u00a0', '\u200b', '\ufeff', '\ud800', '👍', 'e\u0301', '漢', 'ß', 'x'],
  ...['https://a', 'http://', 'www.a', 'a@', 'a@b.', 'CLM-1', 'SIG-', 'C', '@Person ', '@', 'Person 1', '7.1 ', 'iOS '],
  ...['@@ -1 +1 @@\n', '+a\n', '-a\n', '. A', '! ', '" ', '{a}', '[{"field":', '[[],', '<<<<<<< yours\n', 'word '],
]

/** A unit again and again; one behind spaces; one before something else; two in turn: `COST=long` tries all pairs. */
const patterns = (): readonly ((characters: number) => string)[] => {
  const pairs = UNITS.flatMap((one, place) => UNITS.map((other, at) => ({ text: one + other, at: place + at * 7 })))
  return [
    ...UNITS.map(unit => (characters: number) => filled(unit, characters)),
    ...UNITS.map(unit => (characters: number) => `# ${' '.repeat(characters - unit.length - 3)}${unit}x`),
    ...UNITS.map(unit => (characters: number) => `a${filled(unit, characters - 2)}\u2028`),
    ...pairs
      .filter(({ at }) => LONG || at % 331 === 0)
      .map(
        ({ text }) =>
          (characters: number) =>
            filled(text, characters),
      ),
  ]
}

describe('A text of a stranger takes a browser a time by its length, whatever it is made of', () => {
  for (const [what, { maxCharacters, read }] of Object.entries(READERS)) {
    it(what, async () => {
      for (const make of patterns()) {
        const name = `${what}: ${JSON.stringify(make(24))}`
        await assertLinear(name, maxCharacters, characters => make(Math.floor(characters)), read)
      }
    })
  }
})
