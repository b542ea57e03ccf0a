import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import type { ErasedStep } from '../framework/pipeline.ts'
import { runStep } from '../framework/run-step.ts'
import { testPace, testSignal } from '../framework/testing.ts'
import { createTopology, describeTopology } from '../topology.ts'
import { createBuiltInClassifier } from './classify/built-in/classifier.ts'
import { embedder, finished, freshNeighbours, freshWords } from './testing.ts'

const BUDGET_MS = 40
/** More than the longest that a watchdog waits on a busy machine, which is 6 s by the clock on the wall. */
const BURN_MS = 7000

let db: TestDatabase
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())

const steps = (): readonly ErasedStep[] =>
  createTopology({
    database: db.database,
    neighbours: freshNeighbours(),
    words: freshWords(),
    embedder,
    judge: null,
    classifier: createBuiltInClassifier(),
    actorKey: address => address,
  }).steps

/**
 * Has a step's signal burn the processor wherever what strangers wrote is read, from the beginning or behind the step's
 * first wait; says where nothing ended that.
 */
const createTrap = (isSetAtFirst: boolean) => {
  let isSet = false
  const survived: string[] = []
  const burn = (place: string) => {
    const began = process.threadCpuUsage().user
    while (process.threadCpuUsage().user - began < BURN_MS * 1000);
    survived.push(place)
  }
  const trapped = <Part extends object>(name: string, part: Part): Part =>
    new Proxy(part, {
      get: (target, key, receiver) => {
        if (isSet) burn(`${name}.${String(key)}`)
        return Reflect.get(target, key, receiver)
      },
    })
  return {
    survived,
    set: (signal: SignalRecord): SignalRecord => ({
      ...signal,
      received: signal.received && trapped('received', signal.received),
      content: signal.content && trapped('content', signal.content),
    }),
    watch: (step: ErasedStep): ErasedStep => ({
      ...step,
      run: batch => {
        isSet = isSetAtFirst
        queueMicrotask(() => {
          isSet = true
        })
        return step.run(batch)
      },
    }),
  }
}

const whole = async (text: string): Promise<SignalRecord> => {
  const [workspaceId] = await db.workspaces(1)
  assert.ok(workspaceId)
  return { ...testSignal(text), ...(await finished(workspaceId, text)), insertion: { number: 1 } }
}

/** Steps that read what strangers wrote, and when: all but `anchor`, and few of those that have waited. */
const READING: Readonly<Record<string, readonly string[]>> = {
  'at first': describeTopology().steps.flatMap(({ name }) => (name === 'anchor' ? [] : [name])),
  'once it has waited': ['embed', 'dedup', 'insert'],
}

const cases = describeTopology().steps.flatMap(({ name }) =>
  Object.entries(READING).map(([when, reading]) => ({ name, when, reading })),
)
for (const { name, when, reading } of cases) {
  test(`what ${name} does with a signal ${when} is ended by its budget`, async () => {
    const step = steps().find(one => one.name === name)
    const insert = steps().find(one => one.name === 'insert')
    assert.ok(step && insert)
    const signals = [await whole('The export fails on large boards'), await whole('Please add a dark mode')] as const
    if (name === 'cluster') await runStep(insert, signals, testPace())
    const trap = createTrap(when === 'at first')
    const pace = testPace({ cpuBudgetMs: BUDGET_MS })
    const [dear, other] = await runStep(trap.watch(step), [trap.set(signals[0]), signals[1]], pace)
    assert.deepEqual(trap.survived, [])
    assert.equal(other?.kind, 'next')
    assert.equal(dear?.kind === 'dead' ? dear.fault : dear?.kind, reading.includes(name) ? 'too_costly' : 'next')
  })
}
