/**
 * The chart's output for each file of chart/examples, as `helm template` printed it. Not every machine has Helm:
 * whoever changes the chart runs `npm run chart` on one that does, and the test compares with that output.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

const CHART = new URL('chart/', import.meta.url).pathname
const KUBERNETES = '1.34.0'

export const EXAMPLES = ['minimal', 'full'] as const
type Example = (typeof EXAMPLES)[number]

const renderedFile = (example: Example): string => `${CHART}examples/${example}.rendered.yaml`

/** Generated from the settings: their changes need no review of the output. */
const OF_SETTINGS = ['settings.yaml', 'values.schema.json']

const hashOf = (paths: readonly string[]): string => {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(`${basename(path)}\n`).update(readFileSync(path))
  return hash.digest('hex')
}

/** A hash of the templates and values that the output depends on. */
export const fingerprint = (): string => {
  const inputs = globSync('**/*', { cwd: CHART, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.name.endsWith('.rendered.yaml') && entry.name !== 'NOTES.txt')
    .map(entry => `${entry.parentPath}/${entry.name}`)
    // Dashboards are plain text for the chart.
    .filter(path => !path.includes('/dashboards/') && !OF_SETTINGS.includes(basename(path)))
    .sort()
  return hashOf(inputs)
}

/** A hash of the settings of each program. */
export const settingsFingerprint = (): string => hashOf([`${CHART}settings.yaml`])

/** Helm's current output. Throws without Helm. */
export const render = (example: Example): string => {
  const values = `${CHART}examples/${example}.yaml`
  const words = ['template', 'assay', CHART, '--namespace', 'assay', '--kube-version', KUBERNETES, '--values', values]
  return execFileSync(process.env.HELM ?? 'helm', words, { encoding: 'utf8' })
}

interface Rendered {
  readonly of: string
  readonly settings: string
  readonly text: string
}

/** The recorded output, with the fingerprints of its inputs. */
export const readRendered = (example: Example): Rendered => {
  const [first = '', ...rest] = readFileSync(renderedFile(example), 'utf8').split('\n')
  const [, of = '', settings = ''] = /^# Made by `npm run chart` of (\w+) with (\w+)$/.exec(first) ?? []
  return { of, settings, text: rest.join('\n') }
}

if (process.argv[1] === import.meta.filename) {
  const of = `${fingerprint()} with ${settingsFingerprint()}`
  for (const example of EXAMPLES)
    writeFileSync(renderedFile(example), `# Made by \`npm run chart\` of ${of}\n${render(example)}`)
}
