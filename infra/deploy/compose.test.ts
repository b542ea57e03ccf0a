import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { parse } from 'yaml'
import { PROGRAMS, settingsOf } from '../../docs/deploy/settings.ts'
import { COMPOSE, read, SERVICES, service } from './testing.ts'

const TEXT = read('compose.yaml')

test('compose.yaml is valid against the schema of the Compose Specification, and a mistyped key is not', () => {
  const validate = new Ajv2020({ strict: false, allErrors: true }).compile(JSON.parse(read('compose-spec.schema.json')))
  assert.ok(validate(COMPOSE), JSON.stringify(validate.errors, null, 2))
  assert.equal(validate(parse(TEXT.replace('stop_grace_period', 'stop_grace_time'), { merge: true })), false)
})

test('every secret is refused when it is missing, and .env.example names every variable that must be set', () => {
  const example = read('.env.example')
  const required = new Set<string>()
  for (const [, name = '', rest = ''] of TEXT.matchAll(/\$\{([A-Z_]+)([^}]*)/g)) {
    // Without them a model is asked without a key, and the e-mail way in is off.
    const isOptional = /^((EMBEDDINGS|JUDGE|CLASSIFIER)_API_KEY|EMAIL_INGEST_SECRET)$/.test(name)
    if (/PASSWORD|SECRET|KEY$/.test(name) && !isOptional) assert.match(rest, /^:\?/, `${name} must have no default`)
    if (rest.startsWith(':?')) required.add(name)
  }
  assert.deepEqual([...required].sort(), [
    'BASE_URL',
    'CLICKHOUSE_PASSWORD',
    'INSTALLATION_KEY',
    'POSTGRES_PASSWORD',
    'VALKEY_PASSWORD',
  ])
  for (const name of required) assert.match(example, new RegExp(`^${name}=`, 'm'))
  for (const [, name = '', value] of example.matchAll(/^([A-Z_]+)=(.*)$/gm)) {
    const isUsed = [TEXT, read('compose.settings.yaml')].some(text => text.includes(`\${${name}`))
    assert.ok(isUsed, `${name} of .env.example is used`)
    if (required.has(name) && name !== 'BASE_URL') assert.equal(value, '', `${name} comes without a value`)
  }
})

test('only the proxy can be reached from outside, and it reaches no engine', () => {
  const published = [...SERVICES].filter(([, { ports = [] }]) => ports.some(port => !port.startsWith('127.0.0.1:')))
  assert.deepEqual(
    published.map(([name]) => name),
    ['proxy'],
  )
  assert.deepEqual(service('proxy').networks, ['outside'])
  for (const engine of ['kafka', 'registry', 'postgres', 'clickhouse', 'valkey'])
    assert.deepEqual(service(engine).networks, ['engines'])
  const { networks } = Value.Parse(
    Type.Object({ networks: Type.Object({ engines: Type.Object({ internal: Type.Literal(true) }) }) }),
    structuredClone(COMPOSE),
  )
  assert.ok(networks.engines.internal)
})

test('every service that stays has a health check and comes back after a failure', () => {
  for (const [name, { healthcheck, restart }] of SERVICES) {
    if (name === 'migrate') assert.deepEqual([healthcheck, restart], [{ disable: true }, 'on-failure'])
    else {
      assert.ok(healthcheck.test, name)
      assert.equal(restart, 'unless-stopped', name)
    }
  }
})

test('every image has a version', () => {
  for (const [name, { image }] of SERVICES) {
    assert.match(image, /:(\$\{ASSAY_VERSION:-)?[a-z0-9.-]*\d+\.\d+/, `${name}: ${image}`)
    assert.doesNotMatch(image, /latest/)
  }
})

test('every file that is mounted exists', () => {
  for (const [name, { volumes = [] }] of SERVICES) {
    for (const [source = ''] of volumes.map(volume => volume.split(':'))) {
      if (source.startsWith('.')) assert.ok(existsSync(new URL(source, import.meta.url)), `${name}: ${source}`)
    }
  }
})

test('the log makes no topic that nobody asked for', () => {
  const { environment = {} } = service('kafka')
  assert.equal(environment.KAFKA_AUTO_CREATE_TOPICS_ENABLE, 'false')
})

test('every setting of a program reaches it, out of .env or with a value of its own', () => {
  for (const [program, schema] of Object.entries(PROGRAMS)) {
    const { environment = {} } = service(program)
    for (const { env } of settingsOf(schema)) assert.ok(env in environment, `${program}: ${env}`)
  }
})

const MEBIBYTE = 1024 ** 2
const UNITS: Readonly<Record<string, number>> = { M: MEBIBYTE, G: 1024 ** 3 }

/**
 * The number that a text such as `${NAME:-384}` or `${NAME:-1536M}` stands for when nothing is set, in bytes where it
 * has a unit.
 */
const unset = (text: unknown): number => {
  const [, digits, unit = ''] = /(\d+)([MG]?)\}?$/.exec(String(text)) ?? []
  return Number(digits) * (UNITS[unit] ?? 1)
}

/** What a program takes besides its caches: docs/operations/kubernetes.md has what was measured. */
const BESIDES: Readonly<Record<string, number>> = { processors: 640, 'query-api': 512, ingest: 512 }

test('the caches of a program fit the memory of its container', () => {
  for (const [program, besides] of Object.entries(BESIDES)) {
    const { environment = {}, deploy } = service(program)
    const schema = Object.values(
      PROGRAMS[program === 'ingest' ? 'ingest' : program === 'processors' ? 'processors' : 'query-api'],
    )
    const inMegabytes = schema.filter(({ env }) => env.endsWith('_MEMORY_MB')).map(({ env }) => unset(environment[env]))
    const inFlight = schema.find(({ env }) => env === 'INGEST_IN_FLIGHT_BYTES')?.default
    const caches = inMegabytes.reduce((sum, each) => sum + each, 0) + Number(inFlight ?? 0) / MEBIBYTE
    assert.ok(caches > 0, program)
    assert.ok(caches + besides <= unset(deploy.resources.limits.memory) / MEBIBYTE, program)
  }
})

test('a program has longer to stop than it takes at most', () => {
  for (const program of ['ingest', 'processors', 'query-api'])
    assert.ok(unset(service(program).stop_grace_period?.replace('s', '')) >= 30, program)
})

test('with engines of somebody else’s, their addresses must be set, and none of ours is started', () => {
  const customTags = [{ tag: '!reset', resolve: () => null }]
  const { services } = parse(read('compose.outside-engines.yaml'), { merge: true, customTags })
  for (const [name, { image }] of SERVICES) {
    if (!image.startsWith('assay:') && name !== 'proxy') assert.equal(services[name], null, name)
  }
  for (const program of Object.keys(PROGRAMS)) {
    for (const [name, value] of Object.entries(service(program).environment ?? {})) {
      if (!/@|kafka:|registry:|http:\/\/embeddings/.test(String(value)) || name === 'INGEST_MAIL_DOMAIN') continue
      const given = services[program].environment[name]
      const isOptional = name === 'VALKEY_URL' || name === 'EMBEDDINGS_URL'
      assert.match(given, isOptional ? /:-\}$/ : /:\?set it in \.env/, `${program}: ${name}`)
    }
  }
})
