/**
 * What the chart makes of each file of chart/examples, as `helm template` printed it. Helm is not everywhere: whoever
 * changes the chart runs `npm run chart` where it is, and the test works on what was printed then.
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

/** Made of the settings: a new one changes what is printed in a way that needs no look. */
const OF_SETTINGS = ['settings.yaml', 'values.schema.json']

const hashOf = (paths: readonly string[]): string => {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(`${basename(path)}\n`).update(readFileSync(path))
  return hash.digest('hex')
}

/** Of the templates and values that what is printed is made of. */
export const fingerprint = (): string => {
  const inputs = globSync('**/*', { cwd: CHART, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.name.endsWith('.rendered.yaml') && entry.name !== 'NOTES.txt')
    .map(entry => `${entry.parentPath}/${entry.name}`)
    // Panels are text to the chart.
    .filter(path => !path.includes('/dashboards/') && !OF_SETTINGS.includes(basename(path)))
    .sort()
  return hashOf(inputs)
}

/** Of the settings that each program had then. */
export const settingsFingerprint = (): string => hashOf([`${CHART}settings.yaml`])

/** What Helm prints now. Throws where there is no Helm. */
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

/** What was printed, and the fingerprints of what it was made of. */
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
