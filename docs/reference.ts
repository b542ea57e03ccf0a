import { BACKUP_SETTINGS } from '../commands/backup-config.ts'
import { CLICKHOUSE_CONFIG } from '../infra/clickhouse/config.ts'
import { TABLES_CONFIG } from '../infra/clickhouse/table-form.ts'
import { KAFKA_CONFIG } from '../infra/log/config.ts'
import { MODELS_CONFIG } from '../infra/models/config.ts'
import { POSTGRES_CONFIG } from '../infra/postgres/pool.ts'
import { type ConfigSchema, describeConfig } from '../infra/runtime/config.ts'
import {
  EMBEDDED_CONFIG,
  KEY_CONFIG,
  METRICS_CONFIG,
  PROGRAM_CONFIG,
  PROXY_CONFIG,
  serverConfig,
} from '../infra/runtime/program-config.ts'
import { STACK_CONFIG } from '../infra/stack/config.ts'
import { TELEMETRY_CONFIG } from '../infra/telemetry/config.ts'
import { INGEST_CONFIG } from '../ingest/config.ts'
import { PROCESSORS_CONFIG } from '../processors/config.ts'
import { describePipeline } from '../processors/framework/pipeline.ts'
import { describeTopology } from '../processors/topology.ts'
import { QUERY_API_CONFIG } from '../query-api/config.ts'
import type { Operation } from '../query-api/operations/define.ts'
import { registry } from '../query-api/operations/registry.ts'
import { tools } from '../query-api/tools/index.ts'

const GENERATED = 'Generated from the definitions by `npm run docs`; do not edit.'

export const page = (title: string, ...parts: readonly string[]): string =>
  `${[`# ${title}`, GENERATED, ...parts].join('\n\n')}\n`

/** Each setting once: a later program that takes it too names it. */
const describeSections = (sections: Readonly<Record<string, ConfigSchema>>): readonly string[] => {
  const described = new Set<string>()
  return Object.entries(sections).map(([title, schema]) => {
    const lines = describeConfig(schema).split('\n')
    const earlier = lines.filter(line => described.has(line)).map(line => /`(\w+)/.exec(line)?.[1] ?? '')
    const own = lines.filter(line => !described.has(line))
    for (const line of own) described.add(line)
    const also = earlier.length === 0 ? [] : [`- As above: ${earlier.map(name => `\`${name}\``).join(', ')}`]
    return `## ${title}\n\n${[...own, ...also].join('\n')}`
  })
}

const configuration = (): string => {
  const sections = {
    'Every program': PROGRAM_CONFIG,
    Telemetry: TELEMETRY_CONFIG,
    '`assay all`': { ...EMBEDDED_CONFIG, ...METRICS_CONFIG },
    '`assay backup` and `assay restore`': BACKUP_SETTINGS,
    'The real engines': { ...KAFKA_CONFIG, ...POSTGRES_CONFIG, ...CLICKHOUSE_CONFIG, ...TABLES_CONFIG },
    'The key, of every program': KEY_CONFIG,
    'The edge, and `assay all`': INGEST_CONFIG,
    'The processors': { ...serverConfig(8083), ...PROCESSORS_CONFIG },
    'The query API': { ...serverConfig(8082), ...PROXY_CONFIG, ...QUERY_API_CONFIG },
    Models: MODELS_CONFIG,
    'The real engines on this machine (`npm run stack:up`)': STACK_CONFIG,
  }
  return page(
    'Configuration',
    'Each setting is an environment variable. An empty one counts as not set; a wrong one stops the start and is named. What stands behind the sign of equality is the default. Lengths of time take `ms`, `s`, `m`, `h` or `d`.',
    '`assay all` embeds each store whose variable is not set; the other programs need those that they use. `assay <command> --help` shows the arguments of a command, `--print-config` its settings and what is in force.',
    ...describeSections(sections),
  )
}

const pipeline = (): string => page('Pipeline', describePipeline(describeTopology()).trimEnd())

/** The first sentence; a colon's list belongs to it. */
export const firstSentence = (text: string): string => /^.*?[.!?](?= [A-Z`@])/s.exec(text)?.[0] ?? text

/** Why `undo_change` does not take a call back; nothing where it does, and of a read. */
const undoOf = (operation: Operation): string => {
  if (operation.effect === 'read') return ''
  if (operation.cannotBeUndone !== undefined) return ` **No undo**: ${firstSentence(operation.cannotBeUndone)}`
  return operation.databaseRole === undefined ? '' : ' **No undo.**'
}

const USUAL_UNITS = { read: 1, write: 3, destructive: 3 }

const costOf = ({ effect, units }: Operation): string =>
  (effect === 'read' ? '' : `, ${effect}`) + (units === USUAL_UNITS[effect] ? '' : `, ${units} units`)

const toolReference = (): string => {
  const described = new Map<Operation, string>()
  const describe = (tool: string, mode: string, operation: Operation): string => {
    const before = described.get(operation)
    if (before !== undefined) return `- \`${mode}\`: as ${before}.`
    described.set(operation, `\`${tool}\` \`${mode}\``)
    const name = operation.name === mode ? '' : ` (\`${operation.name}\`)`
    return `- \`${mode}\`${name}${costOf(operation)}: ${firstSentence(operation.summary)}${undoOf(operation)}`
  }
  const byTool = tools.map(tool => {
    const modes = Object.entries(tool.modes).map(([mode, operation]) => describe(tool.name, mode, operation))
    return `## ${tool.name}\n\n${firstSentence(tool.description)}\n\n${modes.join('\n')}`
  })
  const people = [...registry.values()].filter(({ audience }) => audience === 'people')
  const byRole = [...Map.groupBy(people, ({ role }) => role)].map(([role, operations]) => {
    const names = operations.map(operation => `\`${operation.name}\`${undoOf(operation) === '' ? '' : '*'}`)
    return `- From the role of ${role} on: ${names.join(', ')}`
  })
  return page(
    'Tools',
    'Each mode of a tool with the first sentence of its description, and in brackets its operation where that is called ' +
      'otherwise. `tools/list?surface=full` and `/api/openapi.json` have the whole descriptions and the fields. A mode ' +
      'reads for 1 work unit unless it says more; a write costs 3. `undo_change` takes back what is written, unless it ' +
      'says why not.',
    ...byTool,
    '## For people only',
    "The app's door, `POST /api/app/<operation>`, reaches these besides all of the above; no tool and no key does. Each " +
      'is described in its file below `query-api/operations/`. A star: no undo.',
    byRole.join('\n'),
  )
}

/** The generated pages of `docs/reference/`, by file name. */
export const referencePages = (): Readonly<Record<string, string>> => ({
  'configuration.md': configuration(),
  'pipeline.md': pipeline(),
  'tools.md': toolReference(),
})
