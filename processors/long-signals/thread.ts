import { parentPort, workerData } from 'node:worker_threads'
import { createPseudonymizer } from '../../infra/runtime/secrets.ts'
import { giveWayToOtherThreads } from '../../infra/runtime/threads.ts'
import { createPace } from '../framework/pace.ts'
import { runStep } from '../framework/run-step.ts'
import { untilScrubbed } from '../steps/until-scrubbed.ts'
import type { LongAnswer, LongQuestion, LongSignalsData } from './long-signals.ts'

const port = parentPort
if (port === null) throw new Error('This file is a thread of the processors: see long-signals.ts.')
// `createLongSignals` passes this type.
const { installationKey, cpuBudgetMs, givesWay } = workerData as LongSignalsData

if (givesWay) giveWayToOtherThreads()

const { steps } = untilScrubbed({ actorKey: createPseudonymizer(installationKey, 'actors') })
// The calling thread watches the time and the partition.
const pace = createPace(
  { isLost: () => false, heartbeat: async () => {} },
  { cpuBudgetMs, batchMs: Number.POSITIVE_INFINITY },
)

/** Keeps the stack frames of an error: the rest may not be cloneable, and may quote the record. */
const onlyFrames = (cause: unknown): Error => {
  const bare = new Error()
  if (cause instanceof Error && cause.stack !== undefined) bare.stack = cause.stack
  return bare
}

const answer = async (question: LongQuestion): Promise<LongAnswer> => {
  const step = steps.find(({ name }) => name === question.step)
  if (step === undefined) throw new TypeError(`The step '${question.step}' does not run here.`)
  const [outcome] = await runStep(step, [question.signal], pace)
  if (outcome === undefined) throw new TypeError(`The step '${question.step}' answered nothing.`)
  return 'cause' in outcome && outcome.cause !== undefined ? { ...outcome, cause: onlyFrames(outcome.cause) } : outcome
}

port.on('message', (question: LongQuestion) => {
  void answer(question).then(outcome => port.postMessage(outcome))
})
