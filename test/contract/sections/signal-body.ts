import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { sendSignal } from '../../support/sender.ts'
import { holds } from '../holds.ts'
import type { Beginning } from '../world.ts'

const AT = '2026-03-04T10:20:30.000Z'
const ORIGINS = ['customer', 'internal', 'operational']
const ROLES = ['user', 'pm', 'designer', 'engineer', 'system']

export const describeSignalBody = ({ world, early }: Beginning): void => {
  describe('The body of a signal', () => {
    const whole = early(({ send }) =>
      send({
        text: 'The whole body of a signal arrives with everything in it.',
        source: 'help-desk',
        source_url: 'https://desk.example.com/tickets/7',
        occurred_at: AT,
        actor_name: 'Ada Lovelace',
        actor_email: 'ada@example.org',
        event: 'ticket.opened',
        metadata: { plan: 'pro', seats: 12, tags: ['a', 'b'], nested: { deep: true } },
      }),
    )
    const bare = early(({ send }) => send({ text: 'Nothing but words, sent by some program.' }))
    const forms = ['2026-03-04T11:20:30+01:00', '2026-03-04T10:20:30', '2026-03-04T10:20:30.000Z'].map(form =>
      early(({ send }) => send({ text: `Dated as ${form} says.`, occurred_at: form })),
    )
    const seconds = early(({ send }) =>
      send({ text: 'Dated by the seconds of the epoch.', occurred_at: Date.parse(AT) / 1000 }),
    )
    const milliseconds = early(({ send }) =>
      send({ text: 'Dated by the milliseconds of the epoch.', occurred_at: Date.parse(AT) }),
    )
    const long = early(({ send }) => send({ text: 'ö'.repeat(50_000) }))
    const ofOrigins = ORIGINS.map(origin =>
      early(({ send }) => send({ text: `Something of the origin ${origin}.`, signal_origin: origin })),
    )
    const ofRoles = ROLES.map(role =>
      early(({ send }) => send({ text: `Something that a ${role} has said.`, actor_role: role })),
    )

    const refused = async (body: object, pointer: string) => {
      const answer = await sendSignal(world().sources.signal, body)
      assert.equal(answer.status, 422, JSON.stringify(answer.body))
      assert.ok(JSON.stringify(answer.body.violations).includes(pointer), JSON.stringify(answer.body))
    }
    const seen = async (id: () => string) => world().signal(id())

    holds('signal-body-1', () => refused({ source: 'help-desk' }, '/text'))
    holds('signal-body-2', () => refused({ text: 7 }, '/text'))
    holds('signal-body-3', async () => assert.equal((await seen(long)).state, 'triage'))
    holds('signal-body-4', () => refused({ text: 'ö'.repeat(50_001) }, '/text'))
    holds('signal-body-5', async () =>
      assert.equal((await seen(bare)).text, 'Nothing but words, sent by some program.'),
    )
    holds('signal-body-6', async () => assert.equal((await seen(whole)).source, 'help-desk'))
    holds('signal-body-7', async () =>
      assert.equal((await seen(whole)).source_url, 'https://desk.example.com/tickets/7'),
    )
    holds('signal-body-8', async () => {
      for (const form of forms) assert.equal((await seen(form)).occurred_at, AT)
    })
    holds('signal-body-9', async () => assert.equal((await seen(seconds)).occurred_at, AT))
    holds('signal-body-10', async () => assert.equal((await seen(milliseconds)).occurred_at, AT))
    holds('signal-body-11', async () => assert.equal((await seen(whole)).actor_name, 'Ada Lovelace'))
    holds('signal-body-12', async () => assert.equal((await seen(whole)).state, 'triage'))
    holds('signal-body-13', async () => assert.doesNotMatch(JSON.stringify(await seen(whole)), /ada@|example\.org/))
    holds('signal-body-14', async () => {
      const signals = await Promise.all(ofOrigins.map(seen))
      assert.deepEqual(
        signals.map(({ signal_origin }) => signal_origin),
        ORIGINS,
      )
    })
    holds('signal-body-15', async () => assert.equal((await seen(bare)).signal_origin, 'customer'))
    holds('signal-body-16', () => refused({ text: 'Of no origin.', signal_origin: 'partner' }, '/signal_origin'))
    holds('signal-body-17', async () => {
      const signals = await Promise.all(ofRoles.map(seen))
      assert.deepEqual(
        signals.map(({ actor_role }) => actor_role),
        ROLES,
      )
    })
    holds('signal-body-18', async () => assert.equal((await seen(bare)).actor_role, 'user'))
    holds('signal-body-19', () => refused({ text: 'Of no role.', actor_role: 'ceo' }, '/actor_role'))
    holds('signal-body-20', async () =>
      assert.deepEqual((await seen(whole)).metadata, {
        plan: 'pro',
        seats: 12,
        tags: ['a', 'b'],
        nested: { deep: true },
      }),
    )
    holds('signal-body-21', () => refused({ text: 'With a list.', metadata: ['a'] }, '/metadata'))
    holds('signal-body-22', async () => assert.equal((await seen(whole)).event, 'ticket.opened'))
  })
}
