import { createBuiltInEmbedder } from '../infra/models/built-in-embedder.ts'
import { MODELS_CONFIG } from '../infra/models/config.ts'
import type { Database } from '../infra/postgres/port.ts'
import { describeConfig } from '../infra/runtime/config.ts'
import { EMBEDDED_CONFIG, PROGRAM_CONFIG } from '../infra/runtime/program-config.ts'
import { STACK_CONFIG } from '../infra/stack/config.ts'
import { INGEST_CONFIG } from '../ingest/config.ts'
import { PROCESSORS_CONFIG } from '../processors/config.ts'
import { describePipeline } from '../processors/framework/describe.ts'
import { createTopology } from '../processors/topology.ts'
import { QUERY_API_CONFIG } from '../query-api/config.ts'
import { registry } from '../query-api/operations/registry.ts'
import { tools } from '../query-api/tools/index.ts'

const GENERATED = 'Generated from the definitions by `npm run docs`; do not edit.'

const page = (title: string, ...parts: readonly string[]): string =>
  `${[`# ${title}`, GENERATED, ...parts].join('\n\n')}\n`

const configuration = (): string => {
  const sections = {
    'Every program': PROGRAM_CONFIG,
    'The embedded default': EMBEDDED_CONFIG,
    'The edge': INGEST_CONFIG,
    'The processors': PROCESSORS_CONFIG,
    'The query API': QUERY_API_CONFIG,
    Models: MODELS_CONFIG,
    'The real engines on this machine (`npm run stack:up`)': STACK_CONFIG,
  }
  return page(
    'Configuration',
    'Each setting is an environment variable. An empty one counts as not set; a wrong one stops the start and is named.',
    ...Object.entries(sections).map(([title, schema]) => `## ${title}\n\n${describeConfig(schema)}`),
  )
}

const pipeline = (): string => {
  const away = () => Promise.reject(new Error('Nothing runs while the reference is written.'))
  const database: Database = { transaction: away, ping: away, close: away }
  const topology = createTopology({
    database,
    embedder: createBuiltInEmbedder(),
    judge: null,
    actorKey: address => address,
  })
  return page('Pipeline', describePipeline(topology).trimEnd())
}

const row = (...cells: readonly (string | number)[]): string =>
  `| ${cells.map(cell => String(cell).replaceAll('|', '\\|')).join(' | ')} |`

const toolReference = (): string => {
  const byTool = tools.map(tool =>
    [
      `## ${tool.name}`,
      '',
      tool.description,
      '',
      '| mode | primitive | effect | work units | what it does |',
      '|---|---|---|---|---|',
      ...Object.entries(tool.modes).map(([mode, { name, effect, units, summary }]) =>
        row(`\`${mode}\``, `\`${name}\``, effect, units, summary),
      ),
    ].join('\n'),
  )
  const people = [...registry.values()].filter(({ audience }) => audience === 'people')
  const onlyPeople = [
    '## For people only',
    '',
    "The app's door, `POST /api/app/<operation>`, reaches these besides all of the above; no tool and no key does.",
    '',
    '| operation | least role | what it does |',
    '|---|---|---|',
    ...people.map(({ name, role, summary }) => row(`\`${name}\``, role, summary)),
  ].join('\n')
  return page('Tools', ...byTool, onlyPeople)
}

/** The generated pages of `docs/reference/`, by file name. */
export const referencePages = (): Readonly<Record<string, string>> => ({
  'configuration.md': configuration(),
  'pipeline.md': pipeline(),
  'tools.md': toolReference(),
})
