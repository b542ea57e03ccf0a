import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../test/files.ts'

/**
 * What holds for every page: its links lead somewhere, its lines fit a screen, as comments do, and each decision is in
 * the index.
 */

const pages = globSync(['docs/**/*.md', '*.md', 'bench/RESULTS.md'], { cwd: ROOT }).toSorted()
const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8')

/** Packages, builds and what is hidden. */
const isNotOurs = (path: string): boolean => /(^|\/)(node_modules|\.\w+|dist)$/.test(path)

const withoutCode = (text: string): string => text.replaceAll(/^```.*?^```$/gms, '')

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (page: string): ReadonlySet<string> =>
  new Set(
    [...withoutCode(textOf(page)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

const brokenLinks = (page: string): string[] =>
  [...withoutCode(textOf(page)).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
    ([link, path = '', anchor]) => {
      const target = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path))
      if (!existsSync(join(ROOT, target))) return [`${page}: ${link}`]
      const isPage = target.endsWith('.md') && statSync(join(ROOT, target)).isFile()
      return anchor === undefined || !isPage || anchorsOf(target).has(anchor) ? [] : [`${page}: ${link}`]
    },
  )

test('every link of every page leads to a file that is there, and to a heading of it', () => {
  assert.ok(pages.length > 60)
  assert.deepEqual(pages.flatMap(brokenLinks), [])
})

test('the tree of the README has every folder, and no other', () => {
  const [, tree = ''] = /^```\n(assay\.ts .*?)^```/ms.exec(textOf('README.md')) ?? []
  const shown = [...tree.matchAll(/^([a-z-]+)\/ /gm)].map(([, folder]) => folder)
  const folders = readdirSync(ROOT, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
    .map(({ name }) => name)
  assert.deepEqual(shown.toSorted(), folders.toSorted())
})

test('every function that the architecture follows is in the file that it names', () => {
  const stops = [...textOf('docs/architecture.md').matchAll(/^ +- `([^`]+\.ts)`([^\n]*)$/gm)]
  const functions = stops.flatMap(([, file = '', named = '']) =>
    [...named.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ file, name })),
  )
  assert.ok(functions.length > 80)
  const missing = functions.filter(({ file, name }) => !new RegExp(`\\b(const|function) ${name}\\b`).test(textOf(file)))
  assert.deepEqual(missing, [])
})

// Tables and code are as wide as what is in them; a link or a word that cannot be broken may stand alone.
const isProse = (line: string): boolean => !line.startsWith('|') && line.trim().includes(' ')
const MAX_CHARACTERS = 120

test('lines of prose have at most 120 characters', () => {
  const tooLong = pages
    .filter(page => !page.startsWith('docs/reference/'))
    .flatMap(page =>
      withoutCode(textOf(page))
        .split('\n')
        .filter(line => isProse(line) && [...line].length > MAX_CHARACTERS)
        .map(line => `${page}: ${line}`),
    )
  assert.deepEqual(tooLong, [])
})

test('comments have at most 120 characters a line', () => {
  const sources = globSync('**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: isNotOurs,
  })
  assert.ok(sources.length > 1_000)
  const tooLong = sources.flatMap(source =>
    textOf(source)
      .split('\n')
      .filter(line => /^\s*(\/\/|\/?\*)/.test(line) && [...line].length > MAX_CHARACTERS && !/biome-ignore/.test(line))
      .map(line => `${source}: ${line}`),
  )
  assert.deepEqual(tooLong, [])
})

test('every way through the app that a page or a sentence names leads to a screen', () => {
  const screens = [...textOf('web/src/screens.ts').matchAll(/title: t\('(.+)'\),\n +group: '(\w+)'/g)].map(
    ([, title, group]) => `${group} → ${title}`,
  )
  assert.ok(screens.length > 20)
  // The settings of other programs.
  const others = ['Settings → Webhooks', 'Settings → Developer']
  const known = [...screens, ...others]
  const wrong = globSync(['**/*.{ts,tsx,md}'], {
    cwd: ROOT,
    exclude: isNotOurs,
  })
    .filter(file => !/^(CHANGELOG|docs\/pages\.test)/.test(file))
    .flatMap(file =>
      [...textOf(file).matchAll(/\b(?:Evidence|Plan|Understand|Run|Settings) → (?=[A-Z])[\w& ]+/g)]
        .map(([way]) => way)
        .filter(way => !known.some(start => way.startsWith(start)))
        .map(way => `${file}: ${way}`),
    )
  assert.deepEqual(wrong, [])
})

const MAX_TERMS = 60

test('the glossary has at most 60 entries, each once', () => {
  const terms = [...textOf('docs/glossary.md').matchAll(/^- \*\*(.+?)\*\*:/gm)].map(([, term]) => term)
  assert.ok(terms.length > MAX_TERMS / 2 && terms.length <= MAX_TERMS, String(terms.length))
  assert.equal(new Set(terms).size, terms.length)
})

const decisions = readdirSync(join(ROOT, 'docs/decisions')).filter(name => /^\d{4}-/.test(name))
const index = textOf('docs/decisions/README.md')

test('every decision has its number, a status, and a line in the index', () => {
  const wrong = decisions.filter(name => {
    const lines = textOf(`docs/decisions/${name}`).split('\n')
    const isNumbered = lines[0]?.startsWith(`# ${Number(name.slice(0, 4))}. `)
    const status = lines[2] ?? ''
    const section =
      status === 'Status: accepted' ? 'Accepted' : /^Status: replaced by .+/.test(status) ? 'Replaced' : null
    return !isNumbered || section === null || !sectionOf(section).includes(`](${name})`)
  })
  assert.deepEqual(wrong, [])
})

test('a decision that was folded has no page, and leads to the one that has it', () => {
  const lines = sectionOf('Folded').trim().split('\n').slice(2)
  const folded = lines.flatMap(line => {
    const [, numbers] = /^- (\d+(?:, \d+)*) → \[[^\]]+\]\([^)]+\)$/.exec(line) ?? []
    assert.ok(numbers !== undefined, line)
    return numbers.split(', ').map(Number)
  })
  assert.ok(folded.length > 50)
  assert.equal(new Set(folded).size, folded.length)
  assert.deepEqual(
    folded.filter(number => decisions.some(name => Number(name.slice(0, 4)) === number)),
    [],
  )
})

const sectionOf = (title: string): string => index.split(/^## /m).find(part => part.startsWith(`${title}\n`)) ?? ''

/** Of an indented block too. */
const SHELL_BLOCK = /^ *```sh\n(?<block>.*?)^ *```/gms

test('every line of a command stands by itself, or the one before says that it goes on', () => {
  const broken = pages.flatMap(page =>
    [...textOf(page).matchAll(SHELL_BLOCK)].flatMap(({ groups }) => {
      const lines = (groups?.block ?? '').split('\n')
      return lines
        .filter((line, at) => /^ *(?:[/&|]|--)/.test(line) && lines[at - 1]?.endsWith('\\') !== true)
        .map(line => `${page}: ${line}`)
    }),
  )
  assert.deepEqual(broken, [])
})
