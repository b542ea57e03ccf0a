import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, it } from 'node:test'
import type { Installation } from '../../support/installation.ts'
import { MAIL_ENVIRONMENT } from '../../support/mail.ts'
import { readAnswers, waitForEnds } from './journey.ts'
import { type Models, startModels } from './models.ts'
import { createGarden, type Garden } from './planted.ts'
import { RETRY_DELAYS, type Remains } from './remains.ts'
import { sendEverywhere } from './senders.ts'
import type { Contents } from './stores.ts'

const INSTALLATION_KEY = randomBytes(32)

/** Whatever else works on the same databases must have the same key. */
export const KEY_ENVIRONMENT = { INSTALLATION_KEY: INSTALLATION_KEY.toString('base64') }

const ENVIRONMENT = {
  ...MAIL_ENVIRONMENT,
  ...KEY_ENVIRONMENT,
  RETRY_DELAYS,
  LOG_LEVEL: 'trace',
}

interface Observed {
  readonly answers: Contents
  readonly metrics: string
  readonly ends: Awaited<ReturnType<typeof waitForEnds>>
}

const metricsOf = async (addresses: readonly string[]): Promise<string> =>
  (await Promise.all(addresses.map(async address => (await fetch(`${address}/metrics`)).text()))).join('\n')

/** Sends everything to an installation, and waits until it has worked it off. */
export const live = async (
  installation: Installation,
  garden: Garden,
  addresses: readonly string[],
): Promise<Observed> => {
  const sent = await sendEverywhere(installation, garden)
  try {
    const ends = await waitForEnds(sent)
    return { ends, answers: await readAnswers(sent), metrics: await metricsOf(addresses) }
  } finally {
    await sent.agent.close()
  }
}

type Run = (
  garden: Garden,
  environment: Readonly<Record<string, string>>,
) => Promise<Observed & Remains & { readonly printed: string }>

/**
 * What must be true of everything that an installation kept and said, whatever it runs on. `run` starts it with the
 * environment given.
 */
export const describeHunt = (run: Run): void => {
  const garden = createGarden()
  let models: Models
  let found: Awaited<ReturnType<Run>>
  before(async () => {
    models = await startModels()
    found = await run(garden, { ...ENVIRONMENT, ...models.environment })
  })
  after(() => models?.stop())

  const assertClean = (contents: Contents): void => {
    assert.ok(contents.size > 0)
    for (const [where, text] of contents) assert.deepEqual(garden.foundIn(text), [], `in ${where}`)
  }

  it('has sent signals that arrived, repeated, were retried, and died behind scrub', () => {
    const endOf = (place: string) => {
      const { status, dead_letter } = found.ends.get(place) ?? {}
      return [status, dead_letter?.step ?? null, dead_letter?.sealed ?? null]
    }
    assert.deepEqual(endOf('signal'), ['inserted', null, null])
    const twins = [endOf('twin'), endOf('other-twin')].map(([status]) => status)
    assert.deepEqual(twins.toSorted(), ['duplicate', 'inserted'], 'whichever was quicker is the original')
    assert.deepEqual(endOf('retried-at-embed'), ['inserted', null, null])
    assert.deepEqual(endOf('dead-at-embed'), ['dead', 'embed', false])
    assert.deepEqual(endOf('dead-at-classify'), ['dead', 'classify', false])
    const retried = found.ends.get('retried-at-embed')?.steps ?? []
    assert.ok(retried.some(({ step, outcome }) => step === 'embed' && outcome === 'retry'))
  })

  it('finds personal data where it may be for hours: in the topics in front of scrub', () => {
    const inFront = new Set(garden.foundIn(found.log.personal))
    for (const place of ['signal', 'mail-text', 'mail-quoted', 'mail-signature', 'connection', 'push', 'captured']) {
      for (const kind of ['email', 'phone', 'card', 'national_id', 'ipv4', 'ipv6']) {
        assert.ok(inFront.has(`${kind} of ${place}`), `${kind} of ${place}`)
      }
    }
  })

  it('finds none in any topic behind scrub, retries and dead letters included', () => {
    const topics = [...found.log.scrubbed.keys()]
    for (const topic of ['signals.embed', 'signals.anchor', 'signals.cluster', 'activity', 'dead-letters']) {
      assert.ok(topics.includes(`topic ${topic}`), `${topic} among ${topics}`)
    }
    assert.ok(topics.some(topic => topic.startsWith('topic retry.')))
    assertClean(found.log.scrubbed)
  })

  it('finds none in any column of any table of Postgres', () => assertClean(found.postgres))

  it('finds none in any column of any table of ClickHouse', () => {
    assert.ok(found.clickHouse.get('ClickHouse, activity')?.includes('signal.dead_letter'))
    assertClean(found.clickHouse)
  })

  // The edge refuses whatever the steps up to scrub would refuse: that letters of these are sealed is the dead letters'
  // own test.
  it('finds none in dead letters that are not sealed, as those behind scrub are not', () => {
    assert.deepEqual(
      found.letters.map(({ sealed }) => sealed),
      [false, false],
    )
    for (const { record } of found.letters) assert.deepEqual(garden.foundIn(record.toString('latin1')), [])
  })

  it('finds none in what agents and people are answered', () => assertClean(found.answers))

  it('finds none in what the programs print, however much they are asked to, nor in their metrics', () => {
    assert.ok(found.printed.length > 0)
    assertClean(
      new Map([
        ['what was printed', found.printed],
        ['/metrics', found.metrics],
      ]),
    )
  })

  it('finds none in what models of others were sent', () => {
    assert.match(models.sent(), /\[EMAIL\]/)
    assertClean(new Map([['requests to models', models.sent()]]))
  })
}
