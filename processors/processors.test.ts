import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import type { Log } from '../infra/log/port.ts'
import { createBuiltInEmbedder } from '../infra/models/built-in-embedder.ts'
import { parseConfig } from '../infra/runtime/config.ts'
import { AssayError } from '../infra/runtime/errors.ts'
import { createMetrics } from '../infra/runtime/metrics.ts'
import { createSealer } from '../infra/runtime/secrets.ts'
import { createNeighbours } from '../model/neighbours/neighbours.ts'
import { createWords } from '../model/words/words.ts'
import { PROCESSORS_CONFIG } from './config.ts'
import { activityCodec, metricPointCodec, signalCodec } from './framework/testing.ts'
import { startProcessors } from './processors.ts'
import { createBuiltInClassifier } from './steps/classify/built-in/classifier.ts'

const cannot = () => Promise.reject(new Error('No processor gets so far in this test.'))

test('A processor that cannot read joins no group: it asks for its schemas until it has them, or they are refused.', async () => {
  const joined: string[] = []
  const log: Log = {
    ensureTopics: async () => {},
    topics: async () => [],
    consume: ({ group }) => {
      joined.push(group)
      return cannot()
    },
    append: cannot,
    lag: cannot,
    ping: cannot,
    close: cannot,
  }
  const answers = [
    new AssayError('unavailable', 'The schema registry cannot be reached.'),
    new AssayError('unavailable', 'The schema registry cannot be reached.'),
    new AssayError('conflict', 'A reader with this schema could not read what earlier versions wrote.'),
  ]
  let asked = 0
  const ready = () => {
    asked += 1
    return Promise.reject(answers[asked - 1])
  }
  const starting = startProcessors({
    log,
    signalCodec: { ...signalCodec, ready },
    activityCodec,
    metricPointCodec,
    database: { transaction: cannot, ping: cannot, close: cannot },
    analytics: { query: cannot, insert: cannot, remove: cannot, rewrite: cannot, ping: cannot, close: cannot },
    neighbours: createNeighbours({ maxBytes: 1024 }),
    words: createWords({ maxBytes: 1024 }),
    embedder: createBuiltInEmbedder(),
    judge: null,
    classifier: createBuiltInClassifier(),
    actorKey: address => address,
    sealer: createSealer(new Uint8Array(32).fill(3)),
    settings: parseConfig(PROCESSORS_CONFIG, {}),
    logger: pino({ level: 'silent' }),
    metrics: createMetrics({ program: 'test' }),
    apart: null,
    assertReady: async () => {},
  })
  await assert.rejects(starting, { code: 'conflict' })
  assert.deepEqual([asked, joined], [3, []])
})
