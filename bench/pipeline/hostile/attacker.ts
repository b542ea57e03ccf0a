import { createHmac } from 'node:crypto'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { postMail } from '../../../test/support/mail.ts'
import { type CreatedSource, type Person, signUp } from '../../../test/support/person.ts'
import { sign } from '../../../test/support/sender.ts'
import { dearestConnections, dearestMail, dearestPushes, dearestSignals, WAYS_IN } from './bodies.ts'
import { type Fired, type Gun, NO_ANSWER, send } from './gun.ts'
import { armWeapons } from './weapons.ts'

/**
 * A program: the hostile tenant. In a process of its own, which gives way to the service: it would be on another
 * machine. Its parent tells it whom to attack and with how many connections, then when to fire and when to stop.
 */

const METRIC_A_MINUTE = 60
const MAILS_AN_HOUR = 50
const MAX_UNDER_WAY = 32
const LOOK_EVERY_MS = 200
const ROUND_NUMBERS = 1_000_000

const pick = (bodies: readonly Buffer[], number: number): Buffer => bodies[number % bodies.length] ?? Buffer.from('{}')

/** The bodies of each kind of source. */
interface Bodies {
  readonly signals: readonly Buffer[]
  readonly pushes: readonly Buffer[]
  readonly connections: readonly Buffer[]
}

/** Made before anything is measured, or even started: it takes seconds of the processor. */
const makeBodies = (): Bodies => ({
  signals: dearestSignals(WAYS_IN.signal, 4),
  pushes: dearestPushes(WAYS_IN.push, 2),
  connections: dearestConnections(WAYS_IN.connection, 8),
})

/** Makes the sources, and signs what can be signed once. */
const arm = async (
  person: Person,
  mail: CreatedSource,
  bodies: Bodies,
  { edgeUrl, connections }: ToArm,
): Promise<readonly Gun[]> => {
  const create = (kind: string, more: object = {}) =>
    person.call<CreatedSource>('create_source', { kind, name: `Hostile ${kind}`, ...more })
  const createAtEdge = async (kind: string, more: object = {}): Promise<CreatedSource> => {
    const source = await create(kind, more)
    return { ...source, url: source.url.replace(person.baseUrl, edgeUrl) }
  }
  const guns: Omit<Gun, 'connections'>[] = []

  const { signals, pushes } = bodies
  const signal = await createAtEdge('signal')
  const signatures = new Map(signals.map(body => [body, sign(signal.secret, body.toString())]))
  guns.push({
    name: 'signal',
    aMinute: WAYS_IN.signal.aMinute,
    fire: number => {
      const body = pick(signals, number)
      return send(signal.url, body, { 'x-service-signature': signatures.get(body) ?? '' })
    },
  })

  const host = await createAtEdge('code_host', { code_host: 'github' })
  const pushSignatures = new Map(pushes.map(body => [body, sign(host.secret, body.toString())]))
  guns.push({
    name: 'code host',
    aMinute: WAYS_IN.push.aMinute,
    fire: number => {
      const body = pick(pushes, number)
      return send(host.url, body, {
        'x-github-event': 'push',
        'x-github-delivery': `hostile-${number}`,
        'x-hub-signature-256': pushSignatures.get(body) ?? '',
      })
    },
  })

  for (let made = 0; made < connections; made += 1) {
    const source = await createAtEdge('connection')
    guns.push({
      name: 'connection',
      aMinute: WAYS_IN.connection.aMinute,
      fire: number => deliver(source, bodies.connections, number),
    })
  }

  const metric = await createAtEdge('metric')
  guns.push({
    name: 'metric',
    aMinute: METRIC_A_MINUTE,
    fire: number =>
      send(metric.url, Buffer.from(JSON.stringify({ value: number })), { authorization: `Bearer ${metric.secret}` }),
  })

  guns.push({
    name: 'mail',
    // All of an hour's at once is the worst that is allowed.
    aMinute: MAILS_AN_HOUR,
    fire: async number => {
      const { status, headers } = await postMail(edgeUrl, mail, dearestMail(number))
      return { status, waits: Number(headers.get('retry-after') ?? 0) }
    },
  })
  return guns.map(gun => ({ ...gun, connections: MAX_UNDER_WAY }))
}

const deliver = (source: CreatedSource, bodies: readonly Buffer[], number: number): Promise<Fired> => {
  const at = Math.floor(Date.now() / 1000)
  const body = pick(bodies, number)
  const id = `hostile-${number}`
  // By Node itself: the library takes ten times as long of a processor that the service needs.
  const key = Buffer.from(source.secret.slice('whsec_'.length), 'base64')
  const digest = createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest('base64')
  return send(source.url, body, {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${digest}`,
  })
}

interface Attack {
  /** Ends it; answers how often each source got each answer. */
  stop(): Promise<string>
}

/**
 * Fires every gun at its full rate until it is stopped, and waits as refusals say: what is beyond the limits is not the
 * allowed rate. A server that is slow gets less: nobody has endless connections.
 */
const attack = (guns: readonly Gun[], from: number): Attack => {
  const counts = new Map<string, number>()
  let stopping = false

  const shoot = async ({ name, aMinute, connections, fire }: Gun) => {
    const startedAt = performance.now()
    const underWay = new Set<Promise<void>>()
    let waitsUntil = 0
    for (let number = from; !stopping; number += 1) {
      const due = Math.max(startedAt + ((number - from) * 60_000) / aMinute, waitsUntil)
      while (!stopping && performance.now() < due) await sleep(Math.min(LOOK_EVERY_MS, due - performance.now()))
      if (underWay.size >= connections) await Promise.race(underWay)
      const one: Promise<void> = fire(number)
        .catch(() => NO_ANSWER)
        .then(({ status, waits }) => {
          waitsUntil = Math.max(waitsUntil, performance.now() + waits * 1000)
          const key = `${name} ${status}`
          counts.set(key, (counts.get(key) ?? 0) + 1)
          underWay.delete(one)
        })
      underWay.add(one)
    }
    await Promise.all(underWay)
  }
  const shooting = Promise.all(guns.map(shoot))
  return {
    stop: async () => {
      stopping = true
      await shooting
      return [...counts].map(([answer, times]) => `${answer}: ${times}`).join(', ')
    },
  }
}

export interface ToArm {
  readonly baseUrl: string
  /** Where it sends: what stands in front of the edge in a benchmark is part of the machine that measures. */
  readonly edgeUrl: string
  readonly connections: number
  /** Names of `WEAPONS`, and `signals` for the dearest bodies of every kind of source. */
  readonly weapons: readonly string[]
}
export type ToAttacker = { readonly arm: ToArm } | 'fire' | 'stop' | 'end'
export type FromAttacker = { readonly is: 'armed' } | { readonly is: 'stopped'; readonly said: string }

const LEAST_PRIORITY = 19

const main = (): void => {
  setPriority(LEAST_PRIORITY)
  // A benchmark that failed fires no more.
  process.once('disconnect', () => process.exit())
  const say = (message: FromAttacker) => process.send?.(message)
  let guns: readonly Gun[] = []
  let under: Attack | null = null
  let round = 0
  process.on('message', async (message: ToAttacker) => {
    if (message === 'end') process.disconnect()
    else if (message === 'fire') {
      // What was sent in a round before would be known by its number, and cheap.
      under = attack(guns, round * ROUND_NUMBERS)
      round += 1
    } else if (message === 'stop') {
      say({ is: 'stopped', said: (await under?.stop()) ?? '' })
    } else {
      const { baseUrl, edgeUrl, weapons } = message.arm
      // First: it takes seconds, in which the service would close a connection that is kept.
      const bodies = weapons.includes('signals') ? makeBodies() : null
      const person = await signUp(baseUrl)
      const mail = await person.call<CreatedSource>('create_source', { kind: 'email', name: 'Hostile mail' })
      const sources = bodies === null ? [] : await arm(person, mail, bodies, message.arm)
      guns = [...sources, ...(await armWeapons({ owner: person, mail, edgeUrl }, weapons))]
      say({ is: 'armed' })
    }
  })
}

if (process.send !== undefined) main()
