import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { SENTENCES } from '../test/contract/sentences/index.ts'
import { NOT_SHOWN } from '../test/contract/sentences/not-shown.ts'
import { ROOT } from '../test/files.ts'
import { page } from './reference.ts'

/** A test that holds a sentence of the interface. */
export interface Holding {
  readonly id: string
  /** Below the repository's root. */
  readonly file: string
  /** What the test is called beyond the sentence itself; null for a test of the contract, which is called by it. */
  readonly name: string | null
}

const ID = '[a-z]+(?:-[a-z]+)*-\\d+'
/** A test of the contract: from outside, in both modes. */
const FROM_OUTSIDE = new RegExp(`\\bholds\\(\\s*'(${ID})'`, 'g')
/** A test beside the code, whose name ends with the id of a sentence that cannot be told from outside. */
const BESIDE = new RegExp(`\\b(?:test|it)\\(\\s*['"\`]([^\\n]*?) \\[(${ID})\\]['"\`]`, 'g')

/** The tests that name a sentence, as their files have them. */
export const findHoldings = (): readonly Holding[] => {
  const files = globSync(['test/contract/sections/*.ts', '{infra,ingest,model,processors,query-api}/**/*.test.ts'], {
    cwd: ROOT,
  })
  return files.toSorted().flatMap(file => {
    const source = readFileSync(join(ROOT, file), 'utf8')
    const outside = [...source.matchAll(FROM_OUTSIDE)].map(([, id = '']) => ({ id, file, name: null }))
    const beside = [...source.matchAll(BESIDE)].map(([, name = '', id = '']) => ({ id, file, name }))
    return [...outside, ...beside]
  })
}

const SECTIONS: Readonly<Record<string, string>> = {
  service: 'What the service does',
  object: 'What it keeps',
  state: 'States',
  mcp: 'The MCP endpoint',
  tool: 'Tools',
  discovery: 'Discovery documents',
  webhook: 'Inbound endpoints',
  'signal-body': 'The body of a signal',
  'metric-body': 'The body of a metric',
  auth: 'Keys',
  proof: 'How senders prove themselves',
  event: 'Events',
  pipeline: 'The pipeline',
  error: 'Errors',
  limit: 'Limits',
  metering: 'Work units',
  version: 'Versions',
}

export const sectionOf = (id: string): string => id.replace(/-(not-shown-)?\d+$/, '')

const linkTo = (file: string): string => `[${basename(file)}](../../${file})`

/** A test of the contract is called by the sentence: its file is said once for all of a section that it holds. */
const heldBy = (holdings: readonly Holding[], usual: string): string => {
  const others = holdings.filter(({ file, name }) => name !== null || file !== usual)
  const links = [...new Set(others.map(({ file }) => linkTo(file)))]
  const also = others.length < holdings.length ? 'also ' : ''
  return links.length === 0 ? '' : ` (${also}${links.join('; ')})`
}

const mostFrequent = (files: readonly string[]): string =>
  [...Map.groupBy(files, file => file)].toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? ''

/** `docs/reference/contract.md`: every sentence with the tests that hold it. */
export const contractPage = (): string => {
  const byId = Map.groupBy(findHoldings(), ({ id }) => id)
  const ids = Object.keys(SENTENCES) as (keyof typeof SENTENCES)[]
  const sections = Object.entries(SECTIONS).map(([section, title]) => {
    const members = ids.filter(id => sectionOf(id) === section)
    const fromOutside = members.flatMap(id => byId.get(id) ?? []).filter(({ name }) => name === null)
    const usual = mostFrequent(fromOutside.map(({ file }) => file))
    const lines = members.map(id => `- \`${id}\` ${SENTENCES[id]}${heldBy(byId.get(id) ?? [], usual)}`)
    return `## ${title}\n\n${linkTo(usual)}:\n\n${lines.join('\n')}`
  })
  const chosen = Object.entries(NOT_SHOWN).map(
    ([id, { what, choice, documented }]) => `- \`${id}\` ${what}: ${choice} (${documented})`,
  )
  return page(
    'The contract, sentence by sentence',
    `The interface says ${ids.length} things that can be tried, and leaves ${chosen.length} open. A test of ` +
      '`test/contract/` is called by the id and the sentence, and tries it over HTTP, SMTP or MCP alone, on two ' +
      'installations: one process with everything embedded, and programs of their own on Kafka, PostgreSQL and ' +
      'ClickHouse. What cannot be told from outside is held by a test beside the code. The file at the head of a section ' +
      'holds its sentences unless another is named.',
    ...sections,
    '## Not shown',
    'What the interface leaves open, what was chosen, and where that is documented:',
    chosen.join('\n'),
  )
}
