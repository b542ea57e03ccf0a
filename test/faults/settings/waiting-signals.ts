import assert from 'node:assert/strict'
import { LONG_CHARACTERS } from '../../../infra/runtime/cpu-budget.ts'
import { eventually } from '../../../infra/runtime/testing.ts'
import { REFUSED_BY_MODEL } from '../../../schemas/domain/vocabulary.ts'
import { type CreatedSource, createSignalSource, type Person } from '../../support/person.ts'
import { sendSignal } from '../../support/sender.ts'
import { distinctText } from '../../support/texts.ts'
import type { FaultyModels } from './faulty-models.ts'

/** What a sender was answered 200 for, whatever any store says. */
export interface Accepted {
  readonly id: string
  readonly text: string
}

/** Long after the slowest machine is through. */
export const TIMEOUT_MS = 240_000

interface Watched {
  readonly steps: readonly {
    readonly step: string
    readonly head: string | null
    readonly lanes: readonly { readonly waiting: { readonly state: string } | null }[]
  }[]
}

export const statusOf = async (person: Person, id: string): Promise<string> =>
  (await person.call<{ status: string }>('lookup_signal', { id, depth: 'summary' })).status

/** What the processors say of a step's segment, by its head. */
const segmentOf = async (person: Person, step: string): Promise<Watched['steps'][number] | undefined> => {
  const { steps } = await person.call<Watched>('watch_pipeline')
  const head = steps.find(each => each.step === step)?.head
  return steps.find(each => each.step === head)
}

const pause = async (person: Person, step: string): Promise<void> => {
  await person.call('pause_step', { step, reason: 'The settings change' })
  await eventually(
    `${step} is paused`,
    async () => {
      const { lanes = [] } = (await segmentOf(person, step)) ?? {}
      return lanes.length > 0 && lanes.every(({ waiting }) => waiting?.state === 'paused')
    },
    TIMEOUT_MS,
  )
}

/** What is held still while signals are left behind, and goes on once the settings have changed. */
const PAUSED = ['cluster', 'anchor', 'validate'] as const

export const resume = async (person: Person): Promise<void> => {
  for (const step of PAUSED) await person.call('resume_step', { step })
}

/** The texts that a sender sends, each of its own unless told. */
export const createSender = async (person: Person) => {
  const source: CreatedSource = await createSignalSource(person)
  let texts = 0
  const send = async (text: string): Promise<Accepted> => {
    const { status, body } = await sendSignal(source, { text, source: 'Support desk' })
    assert.equal(status, 200, JSON.stringify(body))
    return { id: String(body.snippet_id), text }
  }
  return {
    send,
    newText: (): string => {
      texts += 1
      return distinctText(texts)
    },
  }
}
export type Sender = Awaited<ReturnType<typeof createSender>>

/** So long that a thread of its own works on it. */
const longText = (text: string): string => Array.from({ length: LONG_CHARACTERS / 32 }, () => text).join('. ')

/** Sends the texts that the model refused through the bulk lane again, and waits until they wait there. */
const replayRefused = async (person: Person, id: string): Promise<void> => {
  await person.call('replay_dead_letters', { error_class: REFUSED_BY_MODEL })
  await eventually(
    'a refused signal is on its way again',
    async () => (await statusOf(person, id)) === 'in_pipeline',
    TIMEOUT_MS,
  )
}

/**
 * Leaves signals wherever one can wait: dead until it is driven again, in a queue of retries, before `cluster`, before
 * `anchor`, before the embedder, which is away at last, in both lanes, and before `validate`, where they hold personal
 * data. Some repeat others that wait elsewhere, one is long, and one is refused by the model whenever it comes. Answers
 * all that were accepted.
 */
export const leaveWaiting = async (person: Person, sender: Sender, models: FaultyModels): Promise<Accepted[]> => {
  const accepted: Accepted[] = []
  const add = async (...texts: readonly string[]): Promise<readonly Accepted[]> => {
    const added = []
    for (const text of texts) added.push(await sender.send(text))
    accepted.push(...added)
    return added
  }
  const reached = (what: string, some: readonly Accepted[], status: string): Promise<unknown> =>
    eventually(
      what,
      async () => {
        const statuses = await Promise.all(some.map(({ id }) => statusOf(person, id)))
        return statuses.every(each => each === status)
      },
      TIMEOUT_MS,
    )
  const [refused, dying, stumbling, anchored, alsoAnchored, ...others] = Array.from({ length: 9 }, sender.newText)
  if (!refused || !dying || !stumbling || !anchored || !alsoAnchored) throw new TypeError('It lacks texts.')
  models.refuse(refused)
  models.stumbleOver(dying)
  models.stumbleOver(stumbling)
  const dead = await add(refused, dying)
  const [last, middle, first] = PAUSED
  await pause(person, last)
  const clustered = await add(...others.slice(0, 2))
  await reached('some wait to be clustered', clustered, 'inserted')
  // A pause may hold more steps than its own, and what dies is tried again before it does.
  await reached('some are dead', dead, 'dead')
  const stumble = async (): Promise<void> => {
    await add(stumbling)
    await eventually('the embedder has stumbled', () => models.hasStumbledOver(stumbling), TIMEOUT_MS)
  }
  const [embedding, anchoring] = [await segmentOf(person, 'embed'), await segmentOf(person, middle)]
  // The pause of a segment that has both steps keeps texts from the embedder.
  const isJoint = embedding?.step === anchoring?.step
  if (isJoint) await stumble()
  await pause(person, middle)
  await add(anchored, alsoAnchored, anchored, dying, ...others.slice(0, 1))
  if (!isJoint) await stumble()
  models.leave()
  await add(alsoAnchored, stumbling, ...others.slice(2), longText(sender.newText()))
  await replayRefused(person, dead[0]?.id ?? '')
  await pause(person, first)
  await add(anchored, sender.newText())
  return accepted
}
