import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { MAIL_ENVIRONMENT } from '../../test/support/mail.ts'
import { signUp } from '../../test/support/person.ts'
import { createFeedback } from '../support/feedback.ts'
import { quantilesOf } from '../support/measuring.ts'
import { SUBJECTS, type Subject } from '../support/subject.ts'
import type { FromAttacker, ToArm, ToAttacker } from './hostile/attacker.ts'
import { createGoodTenant, MEASURED, type Took } from './hostile/good-tenant.ts'
import { WEAPONS } from './hostile/weapons.ts'

interface Attack {
  fire(): void
  /** Ends it; answers how often each source got each answer. */
  stop(): Promise<string>
  /** Ends the attacker's program. */
  end(): void
}

/** Makes the hostile tenant with its sources and bodies, ready to fire. */
const armAttack = async (arm: ToArm): Promise<Attack> => {
  const attacker = fork(fileURLToPath(new URL('hostile/attacker.ts', import.meta.url)))
  const tell = (message: ToAttacker) => void attacker.send(message)
  const answer = async (): Promise<FromAttacker> => {
    const [message] = await Promise.race([
      once(attacker, 'message'),
      once(attacker, 'exit').then(([code]) => Promise.reject(new Error(`The attacker ended with ${code}.`))),
    ])
    return message
  }
  tell({ arm })
  await answer()
  return {
    fire: () => tell('fire'),
    stop: async () => {
      tell('stop')
      const message = await answer()
      return message.is === 'stopped' ? message.said : ''
    },
    end: () => tell('end'),
  }
}

/** How much worse the good tenant may fare: each p95 against its own alone. */
const MAX_RATIO = 1.5
const WARMING_SECONDS = 15

const FLAGS = {
  /** Flags, such as `--seconds=60`: how long the hostile tenant sends. */
  seconds: { type: 'string', default: '300' },
  /** How long the good one is measured alone. */
  alone: { type: 'string', default: '90' },
  /** How often both are measured, in turn: the machine is not the same all the time. */
  rounds: { type: 'string', default: '1' },
  /** The hostile tenant's connections, at 500 requests a minute each, besides one source of every other kind. */
  connections: { type: 'string', default: '5' },
  /** What it does, with commas between: `signals`, and the names of `WEAPONS`. */
  weapons: { type: 'string', default: ['signals', ...Object.keys(WEAPONS)].join(',') },
  /** `embedded` or `engines`; both unless told. */
  on: { type: 'string' },
} as const

/** A good tenant beside a hostile one that does what costs most, at the rate of one tenant. */
export const hostile = async (flags: readonly string[]): Promise<void> => {
  const { values } = parseArgs({ args: [...flags], options: FLAGS })
  const numbers = {
    seconds: Number(values.seconds),
    alone: Number(values.alone),
    rounds: Number(values.rounds),
    connections: Number(values.connections),
  }
  for (const [name, start] of Object.entries(SUBJECTS)) {
    if (values.on !== undefined && values.on !== name) continue
    const subject = await start({ ...MAIL_ENVIRONMENT })
    try {
      await measure(subject, { ...numbers, weapons: values.weapons.split(',') })
    } finally {
      await subject.remove()
    }
  }
}

interface Plan {
  readonly seconds: number
  readonly alone: number
  readonly rounds: number
  readonly connections: number
  readonly weapons: readonly string[]
}

const measure = async ({ name, baseUrl, edgeUrl }: Subject, plan: Plan): Promise<void> => {
  const { seconds, alone, rounds, connections, weapons } = plan
  console.log(`\n${name}`)
  const good = await createGoodTenant(await signUp(baseUrl), createFeedback(51))
  const { fire, stop, end } = await armAttack({ baseUrl, edgeUrl, connections, weapons })
  await good.measure(WARMING_SECONDS)
  const inRounds: { readonly alone: Took; readonly beside: Took }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const before = await good.measure(alone)
    console.log(`good tenant alone, ${alone} s: ${before.summary}`)
    const began = new Date()
    fire()
    const attacked = sleep(seconds * 1000).then(stop)
    const beside = await good.measure(seconds)
    console.log(`beside a hostile one, ${seconds} s: ${beside.summary}`)
    console.log(`  the hostile one was answered: ${await attacked}`)
    console.log(`  ms from receipt to the end of each step, p50/p95: ${await good.stepsSince(began)}`)
    inRounds.push({ alone: before.took, beside: beside.took })
  }
  end()
  await good.close()
  for (const what of Object.keys(MEASURED) as (keyof Took)[]) {
    const before = quantilesOf(inRounds.flatMap(round => round.alone[what]))
    const beside = quantilesOf(inRounds.flatMap(round => round.beside[what]))
    const ratio = beside(0.95) / before(0.95)
    console.log(
      `  ${what}: p95 ${before(0.95).toFixed(0)} → ${beside(0.95).toFixed(0)} ms, ${ratio.toFixed(2)} times what it is alone (asked: at most ${MAX_RATIO}${ratio > MAX_RATIO ? ', missed' : ''}), p50 ${(beside(0.5) / before(0.5)).toFixed(2)} times`,
    )
  }
}
