import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MODELS_CONFIG } from '../../../infra/models/config.ts'
import { text } from '../../../infra/runtime/settings.ts'
import { INGEST_CONFIG } from '../../../ingest/config.ts'
import { PROCESSORS_CONFIG } from '../../../processors/config.ts'
import { parseRetryDelays } from '../../../processors/framework/topics.ts'
import { PIPELINE, type Round, roundsOn } from './rounds.ts'
import { CANNOT_MATTER, DELAYS, type World } from './values.ts'
import { TIMEOUT_MS } from './waiting-signals.ts'

const installationKey = new Uint8Array(32)
const MODEL = 'http://127.0.0.1:9'
const BASE = {
  INSTALLATION_KEY: Buffer.from(installationKey).toString('base64'),
  EMBEDDINGS_URL: MODEL,
  JUDGE_URL: MODEL,
  CLASSIFIER_URL: MODEL,
  ...DELAYS,
}
const ENGINES = {
  KAFKA_BROKERS: '127.0.0.1:9',
  SCHEMA_REGISTRY_URL: MODEL,
  DATABASE_URL: 'postgres://127.0.0.1:9/assay',
  CLICKHOUSE_URL: MODEL,
}
const WORLDS: Readonly<Record<string, World>> = {
  'embedded stores': { base: BASE, isEmbedded: true, installationKey, folder: '/tmp/nobody' },
  engines: { base: { ...BASE, ...ENGINES }, isEmbedded: false, installationKey, folder: '/tmp/nobody' },
}

const namesOf = (config: object): string[] => Object.values(config).map(({ env }) => env)

/** What a start reads: a setting that is not set has its default. */
const settingValue = (env: string, written = ''): unknown => {
  const { default: usual, parse } = PIPELINE.get(env) ?? {}
  return written === '' ? usual : parse?.(written)
}

const changes = ({ from, to }: Round, env: string): boolean => {
  const [before, after] = [settingValue(env, from[env]), settingValue(env, to[env])]
  assert.notEqual(after, undefined, `${env} cannot be ${to[env]}`)
  return JSON.stringify(before) !== JSON.stringify(after)
}

describe('The rounds of settings that change while signals wait', () => {
  for (const [name, world] of Object.entries(WORLDS)) {
    it(`give each setting of the pipeline another value on ${name}, or say why it cannot matter`, () => {
      const rounds = roundsOn(world)
      const edge = new Set(namesOf(INGEST_CONFIG))
      for (const env of PIPELINE.keys()) {
        const own = rounds.filter(({ what }) => what === (edge.has(env) ? 'the edge’s settings' : env))
        const isChanged =
          own.some(round => env in round.to) && own.every(round => !(env in round.to) || changes(round, env))
        assert.notEqual(isChanged, env in CANNOT_MATTER, `${env}: ${isChanged ? 'has' : 'lacks'} a round`)
      }
    })
  }

  it('start with delays under which a text that the model stumbles over is soon dead', () => {
    for (const world of Object.values(WORLDS))
      for (const { to } of roundsOn(world)) {
        const { RETRY_DELAYS = '' } = { ...world.base, ...to }
        const dyingMs = parseRetryDelays(RETRY_DELAYS)?.reduce((sum, { ms }) => sum + ms, 0)
        assert.ok(dyingMs !== undefined && dyingMs < TIMEOUT_MS / 10, `${RETRY_DELAYS}: ${dyingMs} ms`)
      }
  })

  it('excuse nothing that the processors or the models are set to', () => {
    const excused = [...namesOf(PROCESSORS_CONFIG), ...namesOf(MODELS_CONFIG)].filter(env => env in CANNOT_MATTER)
    assert.deepEqual(excused, [])
  })

  it('fail for a new setting of which they can make no other value', () => {
    const setting = text({ env: 'NEW_SETTING', doc: 'New.', default: 'a' })
    const pipeline = new Map([...PIPELINE, [setting.env, setting]])
    for (const world of Object.values(WORLDS))
      assert.throws(() => roundsOn(world, pipeline), /NEW_SETTING takes part in no round/)
  })
})
