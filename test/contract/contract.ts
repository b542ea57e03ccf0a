import { after, before, describe } from 'node:test'
import type { Installation } from '../support/installation.ts'
import { describeClustering } from './sections/clustering.ts'
import { describeDiscovery } from './sections/discovery.ts'
import { describeEndpoint } from './sections/endpoint.ts'
import { describeErrors } from './sections/errors.ts'
import { describeEvidence } from './sections/evidence.ts'
import { describeKeys } from './sections/keys.ts'
import { describeLimits } from './sections/limits.ts'
import { describeMetricBody } from './sections/metric-body.ts'
import { describePipeline } from './sections/pipeline.ts'
import { describePlanning } from './sections/planning.ts'
import { describeProofs } from './sections/proofs.ts'
import { describeSignalBody } from './sections/signal-body.ts'
import { describeSourcesKept } from './sections/sources.ts'
import { describeTools } from './sections/tools.ts'
import { describeToolsThatWrite } from './sections/tools-that-write.ts'
import { describeWebhooks } from './sections/webhooks.ts'
import { tellStory } from './story.ts'
import { type Beginning, enterWorld, type World } from './world.ts'

/**
 * Every sentence of the interface, tried from outside against a running installation whose models are
 * `startContractModels`'s.
 */
export const describeContract = (installation: () => Installation): void => {
  const early: ((world: World) => Promise<void>)[] = []
  let entered: World | null = null
  const world = (): World => {
    if (entered === null) throw new Error('The world is entered by the first hook.')
    return entered
  }
  const beginning: Beginning = {
    world,
    early: <T>(work: (world: World) => Promise<T>) => {
      let done: (() => T) | null = null
      early.push(async inWorld => {
        done = await work(inWorld).then(
          value => () => value,
          // Told by the tests that look at it, and no others.
          error => () => {
            throw error
          },
        )
      })
      return () => {
        if (done === null) throw new Error('The first hook has not done this.')
        return done()
      }
    },
  }
  let arriving: Promise<unknown> = Promise.resolve()
  before(async () => {
    entered = await enterWorld(installation())
    arriving = Promise.all(early.map(work => work(world())))
  })
  after(() => entered?.agent.close())

  describeEndpoint(beginning)
  describeSourcesKept(beginning)
  describe('Once everything has arrived', () => {
    before(() => arriving)
    describeDiscovery(beginning)
    describeKeys(beginning)
    describeErrors(beginning)
    describeWebhooks(beginning)
    describeSignalBody(beginning)
    describeMetricBody(beginning)
    describeProofs(beginning)
    describePipeline(beginning)
    describeClustering(beginning)
    describeLimits(beginning)
    const story = beginning.early(tellStory)
    describeEvidence(beginning, story)
    describeTools(beginning, story)
    describeToolsThatWrite(beginning, story)
    describePlanning(beginning, story)
  })
}
