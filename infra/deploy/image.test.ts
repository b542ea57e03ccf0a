import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, matchesGlob, relative } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { read, service } from './testing.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const PROGRAMS = ['migrate', 'ingest', 'processors', 'query-api'] as const

/** What the image holds of the repository: as the Dockerfile copies it, without what .dockerignore leaves out. */
const image = mkdtempSync(join(tmpdir(), 'assay-image-'))
const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from = '']) =>
  from.split(' '),
)
const ignored = read('Dockerfile.dockerignore').match(/^\w.+$|^\*\*.+$/gm) ?? []

/** What the image leaves out of the packages, unless it is built for `all` too. */
const removed = [...read('Dockerfile').matchAll(/(?<=rm -rf .*)node_modules\/([@\w-]+)(?=[ ;])/g)].map(
  ([, name = '']) => name,
)

before(() => {
  for (const source of copied) {
    cpSync(join(ROOT, source), join(image, source), {
      recursive: true,
      filter: path => !ignored.some(pattern => matchesGlob(relative(ROOT, path), pattern)),
    })
  }
  mkdirSync(join(image, 'node_modules'))
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (!removed.includes(name)) symlinkSync(join(ROOT, 'node_modules', name), join(image, 'node_modules', name))
  }
})
after(() => rmSync(image, { recursive: true }))

/** A service's variables as compose would fill them in, with a value for each that must be set. */
const environmentOf = (program: string): Readonly<Record<string, string>> => {
  const given: Readonly<Record<string, string>> = {
    POSTGRES_PASSWORD: 'a1',
    CLICKHOUSE_PASSWORD: 'b2',
    INSTALLATION_KEY: Buffer.alloc(32, 7).toString('base64url'),
    BASE_URL: 'https://assay.example.com',
  }
  const fill = (text: string) =>
    text.replace(/\$\{([A-Z_]+)(?::-([^}]*)|:\?[^}]*)\}/g, (_, name, fallback) => given[name] ?? fallback)
  const entries = Object.entries(service(program).environment ?? {})
  return Object.fromEntries(entries.map(([name, value]) => [name, fill(String(value))]))
}

test('the image leaves tests and development files out', () => {
  const folders = ['infra/deploy', 'infra/stack', 'infra/models/meaning/make']
  assert.deepEqual(ignored, ['**/*.test.ts', '**/conformance', 'web/dist', 'web/tests', ...folders])
  for (const path of [...folders, 'infra/log/codec.test.ts', 'web/dist', 'test', '.git'])
    assert.ok(!existsSync(join(image, path)), path)
})

for (const program of PROGRAMS) {
  test(`${program} starts from what the image holds, and every setting that compose.yaml gives it is one of its own`, async () => {
    const { command } = service(program)
    const env = environmentOf(program)
    assert.deepEqual(command, [program])
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'assay.ts', program, '--print-config'],
      { cwd: image, env },
    )
    const printed = new Set(stdout.split('\n').map(line => line.split('=')[0]))
    assert.deepEqual(
      Object.keys(env).filter(name => !printed.has(name)),
      [],
    )
  })
}

test('the image runs the Node that package.json pins, as a user without rights', () => {
  const { version, dependencies } = JSON.parse(read('../../package.json'))
  const dockerfile = read('Dockerfile')
  assert.ok(dockerfile.includes(`\nFROM node:${dependencies.node}-`))
  assert.match(dockerfile, /^USER node$/m)
  for (const program of PROGRAMS) assert.equal(service(program).image, `assay:\${ASSAY_VERSION:-${version}}`)
})

test('the image is without the embedded engines, and one that is asked for them says how to have them', async () => {
  assert.deepEqual(removed, ['node', '@chdb', 'chdb', '@electric-sql'])
  const flags = ['--disable-warning=ExperimentalWarning', 'assay.ts', 'all', '--print-config']
  const asked = promisify(execFile)(process.execPath, flags, { cwd: image, env: {} })
  await assert.rejects(asked, ({ stderr }: { stderr: string }) => {
    assert.match(stderr, /^The package (chdb|@electric-sql\/\S+) is not installed\. .*EMBEDDED=yes/)
    return true
  })
})

test('the one binary of the edge that the image keeps is one that there is', () => {
  const [, name = ''] = /! -name "(\S+?)\$\(/.exec(read('Dockerfile')) ?? []
  const { modules } = process.versions
  for (const arch of ['x64', 'arm64'])
    assert.ok(existsSync(join(ROOT, `node_modules/uWebSockets.js/dist/bin/${name}${arch}_${modules}.node`)), arch)
})
