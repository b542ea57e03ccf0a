import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConfigOf, describeConfig, parseConfig, renderConfig } from './config.ts'
import { isAssayError } from './errors.ts'
import { choice, domain, duration, flag, headerName, integer, optional, origin, port, text, url } from './settings.ts'

const schema = {
  port: port({ env: 'PORT', doc: 'Where to listen.', default: 8080 }),
  baseUrl: optional(url({ env: 'BASE_URL', doc: 'Where people reach it.' })),
  database: optional(url({ env: 'DATABASE_URL', doc: 'The database.', schemes: ['postgres', 'postgresql'] })),
  batch: integer({ env: 'BATCH', doc: 'Records | batch.', default: 200, min: 1, max: 1000 }),
  linger: duration({ env: 'LINGER', doc: 'How long to wait.', default: 90_000 }),
  level: choice({ env: 'LEVEL', doc: 'How much to log.', default: 'info', values: ['debug', 'info'] }),
  open: flag({ env: 'OPEN', doc: 'Whether strangers may sign up.', default: false }),
  apiKey: text({ env: 'API_KEY', doc: 'Ask the operator for it.', secret: true }),
} as const

const config: ConfigOf<typeof schema> = parseConfig(schema, { API_KEY: 'hush' })

const linesOf = (env: Record<string, string>): string[] => {
  try {
    parseConfig(schema, env)
  } catch (error) {
    assert.ok(isAssayError(error) && error.code === 'invalid_configuration')
    return error.violations.map(violation => violation.message)
  }
  return []
}

test('what is not set, or empty, takes its default', () => {
  assert.deepEqual(parseConfig(schema, { API_KEY: 'hush', PORT: '' }), {
    port: 8080,
    baseUrl: null,
    database: null,
    batch: 200,
    linger: 90_000,
    level: 'info',
    open: false,
    apiKey: 'hush',
  })
})

test('values become numbers, milliseconds, booleans and URLs without a slash at the end', () => {
  const env = {
    API_KEY: 'k',
    PORT: '0',
    BASE_URL: 'https://assay.example/',
    LINGER: '12h',
    OPEN: 'true',
    LEVEL: 'debug',
  }
  const { port, baseUrl, linger, open, level } = parseConfig(schema, env)
  assert.deepEqual(
    { port, baseUrl, linger, open, level },
    { port: 0, baseUrl: 'https://assay.example', linger: 43_200_000, open: true, level: 'debug' },
  )
})

test('every wrong value is named at once, with what is allowed', () => {
  const lines = linesOf({
    PORT: '99999',
    LINGER: '5 minutes',
    LEVEL: 'loud',
    OPEN: 'yes',
    BATCH: '1e2',
    BASE_URL: 'assay.example',
  })
  assert.deepEqual(lines, [
    'PORT is "99999". It must be a whole number from 0 to 65535.',
    'BASE_URL is "assay.example". It must be an absolute URL that begins with http:// or https://.',
    'BATCH is "1e2". It must be a whole number from 1 to 1000.',
    'LINGER is "5 minutes". It must be a length of time with its unit (ms, s, m, h or d), such as 30s.',
    'LEVEL is "loud". It must be one of debug, info.',
    'OPEN is "yes". It must be true or false.',
    'API_KEY is not set. Ask the operator for it.',
  ])
})

test('numbers that only look like numbers are refused', () => {
  for (const given of ['8080 ', '0x50', '80.5', '-1', 'NaN', 'Infinity', '1_000', '１２'])
    assert.deepEqual(linesOf({ API_KEY: 'k', PORT: given }).length, 1, given)
})

test('a site is where its host says, without a path that nobody would serve', () => {
  const { parse } = origin({ env: 'BASE_URL', doc: '' })
  assert.equal(parse('https://Assay.example.com:443/'), 'https://assay.example.com')
  assert.equal(parse('http://localhost:8000'), 'http://localhost:8000')
  assert.equal(parse('http://[::1]:8000'), 'http://[::1]:8000')
  for (const wrong of [
    '',
    'localhost:8000',
    'ftp://assay.example.com',
    'https://assay.example.com/assay',
    'https://assay.example.com/?a',
    'https://assay.example.com#a',
    'https://ann:hush@assay.example.com',
    'https:///',
  ])
    assert.equal(parse(wrong), undefined, wrong)
})

test('a header is known by its name in any case', () => {
  const { parse } = headerName({ env: 'CLIENT_ADDRESS_HEADER', doc: '' })
  assert.equal(parse('X-Forwarded-For'), 'x-forwarded-for')
  for (const wrong of ['', 'x forwarded', 'x-forwarded-for:', 'größe']) assert.equal(parse(wrong), undefined, wrong)
})

test('a domain is a name in lower case, in the form that DNS has', () => {
  const { parse } = domain({ env: 'DOMAIN', doc: '' })
  assert.equal(parse('In.Example.com'), 'in.example.com')
  assert.equal(parse('größe.example'), 'xn--gre-6ka8i.example')
  assert.equal(parse('localhost'), 'localhost')
  for (const wrong of [
    '',
    'in example.com',
    'user@example.com',
    'https://example.com',
    '-a.example',
    'a..example',
    'a.example.',
  ])
    assert.equal(parse(wrong), undefined, wrong)
})

test('a password in a URL is never shown, neither when it is right nor when it is wrong', () => {
  const right = parseConfig(schema, { API_KEY: 'hush', DATABASE_URL: 'postgres://assay:hunter2@db/assay' })
  assert.match(renderConfig(schema, right), /^DATABASE_URL=postgres:\/\/assay:\*{8}@db\/assay$/m)
  const [line = ''] = linesOf({ API_KEY: 'hush', DATABASE_URL: 'mysql://assay:hunter2@db/assay' })
  assert.match(line, /^DATABASE_URL is "mysql:\/\/assay:/)
  assert.doesNotMatch(line, /hunter2/)
})

test('the printed configuration has every setting, masks secrets, and reads back as the same', () => {
  const printed = renderConfig(schema, config)
  assert.doesNotMatch(printed, /hush/)
  const env = Object.fromEntries(printed.split('\n').map(line => line.split('=')))
  assert.deepEqual(parseConfig(schema, { ...env, API_KEY: 'hush' }), config)
})

test('a secret of a wrong form is named but not shown', () => {
  const secretPort = { pin: integer({ env: 'PIN', doc: '', secret: true, min: 0, max: 9999 }) }
  assert.throws(
    () => parseConfig(secretPort, { PIN: '12345' }),
    error => isAssayError(error) && /PIN has a value/.test(error.message) && !/12345/.test(error.message),
  )
})

test('the reference says the default, what is allowed and whether it is secret', () => {
  const lines = describeConfig(schema)
  assert.match(lines, /^- `LINGER=90s`: How long to wait\.$/m)
  assert.match(lines, /^- `API_KEY` \(required; secret\): Ask the operator for it\.$/m)
  assert.match(lines, /^- `BASE_URL` \(http:\/\/ or https:\/\/\)/m)
  assert.match(lines, /^- `BATCH=200` \(1 to 1000\): Records \| batch\.$/m)
})
