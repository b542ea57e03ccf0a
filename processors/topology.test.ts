import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBuiltInEmbedder } from '../infra/models/built-in-embedder.ts'
import type { Database } from '../infra/postgres/port.ts'
import { createNeighbours } from '../model/neighbours/neighbours.ts'
import { createWords } from '../model/words/words.ts'
import { STEPS } from '../schemas/domain/vocabulary.ts'
import { createBuiltInClassifier } from './steps/classify/built-in/classifier.ts'
import { createTopology, DEFAULT_HEADS, type StepDependencies, topicsOf } from './topology.ts'

const absent = () => Promise.reject(new Error('No step runs in this test.'))
const database: Database = { transaction: absent, ping: absent, close: absent }
const dependencies: StepDependencies = {
  database,
  neighbours: createNeighbours({ maxBytes: 0 }),
  words: createWords({ maxBytes: 0 }),
  embedder: createBuiltInEmbedder(),
  judge: null,
  classifier: createBuiltInClassifier(),
  actorKey: address => address,
}

test('the steps stand in their order', () => {
  const { steps, ordinalOf } = createTopology(dependencies)
  assert.deepEqual(
    steps.map(step => step.name),
    STEPS,
  )
  assert.deepEqual([ordinalOf('validate'), ordinalOf('cluster')], [1, STEPS.length])
})

test('by default four steps are heads', () => {
  const { segments } = createTopology(dependencies)
  assert.deepEqual(
    segments.map(({ head }) => head),
    ['validate', 'embed', 'anchor', 'cluster'],
  )
  assert.deepEqual(
    segments.flatMap(({ steps }) => steps.map(({ name }) => name)),
    STEPS,
  )
})

test('every step can be a head, with its records keyed and kept as they must be', () => {
  const { segments, spreadOf, isPersonal, ordinalOf } = createTopology(dependencies, STEPS)
  assert.deepEqual(
    segments.map(({ head }) => [head, spreadOf(head), isPersonal(head)]),
    STEPS.map(step => [
      step,
      ordinalOf(step) <= ordinalOf('embed') ? 'signal' : 'workspace',
      ordinalOf(step) <= ordinalOf('scrub'),
    ]),
  )
})

test('cluster never shares a segment with insert', () => {
  assert.throws(() => createTopology(dependencies, ['validate', 'insert']), {
    code: 'invalid_configuration',
    message: /'cluster' must not share a segment with 'insert', since a slow judge would hold rows back/,
  })
})

test('what earlier settings left on the log belongs to the installation, whatever else the brokers hold', () => {
  const settings = {
    heads: DEFAULT_HEADS,
    retryDelays: [{ name: '10s', ms: 10_000 }],
    signalPartitions: 2,
    activityPartitions: 1,
    personalRetentionMs: 1000,
    retentionMs: 5000,
  }
  const today = topicsOf(settings).map(({ name }) => name)
  const existing = [...today, 'retry.2s', 'signals.classify.bulk', 'orders', 'retry.later']
  const left = topicsOf(settings, existing).filter(({ name }) => !today.includes(name))
  assert.deepEqual(
    left.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    [
      { name: 'retry.2s', partitions: 1, retentionMs: 3000 },
      { name: 'signals.classify', partitions: 2, retentionMs: 5000 },
      { name: 'signals.classify.bulk', partitions: 2, retentionMs: 5000 },
    ],
  )
})

test('every step says what it does and what holds when a record comes again', () => {
  for (const step of createTopology(dependencies).steps) {
    assert.match(step.summary, /\w.*\.$/, step.name)
    assert.match(step.guarantee, /\w.*\.$/, step.name)
    assert.notEqual(step.version, '', step.name)
  }
})
