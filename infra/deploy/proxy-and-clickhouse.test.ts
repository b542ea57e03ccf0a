import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { parse } from 'yaml'
import { read } from './testing.ts'

test('ClickHouse keeps the logs about itself for some days, or not at all', () => {
  const settings = Value.Parse(
    Type.Record(Type.String(), Type.Unknown()),
    parse(read('clickhouse/config.yaml'), { strict: true }),
  )
  const logs = Object.entries(settings).filter(([name]) => name.endsWith('_log'))
  for (const [name, log] of logs) {
    const kept = Value.Check(
      Type.Object({ ttl: Type.String({ pattern: '^event_date \\+ INTERVAL \\d+ DAY DELETE$' }) }),
      log,
    )
    assert.ok(kept || Value.Check(Type.Object({ '@remove': Type.Literal('1') }), log), name)
  }
  const names = logs.map(([name]) => name)
  for (const log of [
    'query',
    'query_thread',
    'part',
    'trace',
    'text',
    'metric',
    'asynchronous_metric',
    'processors_profile',
  ])
    assert.ok(names.includes(`${log}_log`), log)
  assert.ok(Number(settings.max_server_memory_usage) < 2 * 1024 ** 3, 'below the limit of the container')
})

test('the proxy sends the edge what is its own, and keeps the probes and metrics inside', () => {
  const caddyfile = read('Caddyfile')
  const [, webhooks] = /WEBHOOKS = '(.+)'/.exec(read('../../model/sources/kinds/kind.ts')) ?? []
  assert.ok(caddyfile.includes(`@webhooks path ${webhooks}*\n`))
  assert.match(caddyfile, /@inside path \/livez \/readyz \/readyz\/\* \/metrics\n/)
  const errors = caddyfile.slice(caddyfile.indexOf('handle_errors 503'))
  // Whoever has no replica that lives is answered in the contract's words, not with nothing.
  assert.equal(errors.match(/reverse_proxy .+ 127\.0\.0\.1:2020 \{\n\t+import alive\n/g)?.length, 2)
  assert.match(errors, /^http:\/\/:2020 \{\n\tbind 127\.0\.0\.1\n\trespond \/livez 200\n\timport unavailable\n\}$/m)
  // Either would repeat a POST that may have been taken, or let a sender choose its own address.
  assert.doesNotMatch(caddyfile.replace(/#.*$/gm, ''), /lb_retry_match|header_up \+X-Forwarded-For/)
})
