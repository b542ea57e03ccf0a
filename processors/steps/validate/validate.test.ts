import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import { dead, next } from '../../framework/step.ts'
import { RECEIVED_AT } from '../../framework/testing.ts'
import { received } from '../testing.ts'
import { createValidate } from './validate.ts'

const validate = async (body: unknown, format?: Parameters<typeof received>[1]) => {
  const [result] = await createValidate().run([received(body, format)])
  return result
}

const shared = {
  code_host: 'github',
  repository: 'octo-org/octo-repo',
  url: null,
  actor: { login: 'sender', email: null, bot: false },
  occurred_at: RECEIVED_AT,
  shortened: false,
}
const push = { ...shared, ref: 'refs/heads/main', commits: [{ id: 'a1', message: 'Fix' }], commit_count: 1 }
const pullRequest = { ...shared, action: 'merged', number: 7, title: 'Fix', body: '', branch: 'fix', base: 'main' }
const release = { ...shared, tag: 'v1', name: 'v1', body: '', prerelease: false }
const deployment = { ...shared, environment: 'production', ref: 'main', sha: 'a1', task: 'deploy', description: '' }

const mailbox = { name: null, email: 'sender@example.com' }
const mail = {
  subject: '',
  text: 'The export fails.',
  cuts: [{ kind: 'quoted', text: 'Which export?' }],
  author: mailbox,
  occurred_at: RECEIVED_AT,
  forward: { by: mailbox, note: '' },
  automatic: false,
  thread: null,
  attachments: [{ name: 'shot.png', type: 'image/png', size: 200 }],
  attachment_count: 1,
  shortened: false,
}
const { cuts: _, ...newerMail } = mail
const olderMail = { ...newerMail, quoted: 'Which export?' }

for (const [what, body, format] of [
  ['the least of a signal', { text: 'x' }, 'signal'],
  ['a signal with fields that nobody named', { text: 'x', priority: 1 }, 'signal'],
  ['50,000 characters that take four bytes each', { text: '👍'.repeat(50_000) }, 'signal'],
  ['a push', push, 'push'],
  ['a pull request', pullRequest, 'pull_request'],
  ['a release', release, 'release'],
  ['a deployment', deployment, 'deployment'],
  ['a mail', mail, 'email'],
  ['a mail of an older program', olderMail, 'email'],
] as const) {
  test(`lets ${what} through`, async () => assert.deepEqual(await validate(body, format), next({})))
}

const nested = (levels: number): unknown => (levels === 0 ? 1 : { deeper: nested(levels - 1) })

for (const [what, body, format, reason] of [
  ['text that is no JSON', 'not json', 'signal', /not JSON/],
  ['a list', [], 'signal', /The body/],
  ['a signal without a text', {}, 'signal', /\/text is required/],
  ['a blank text', { text: ' \n ' }, 'signal', /\/text must not be blank/],
  ['50,001 characters', { text: 'x'.repeat(50_001) }, 'signal', /\/text must have at most 50000 characters/],
  [
    'an origin that does not exist',
    { text: 'x', signal_origin: 'alien' },
    'signal',
    /\/signal_origin must be one of customer/,
  ],
  ['two faults at once', { actor_role: 'boss' }, 'signal', /\/text .*; \/actor_role|\/actor_role .*; \/text/],
  ['a date that is none', { text: 'x', occurred_at: '2026-02-30' }, 'signal', /\/occurred_at must be an ISO 8601/],
  ['a date far ahead', { text: 'x', occurred_at: RECEIVED_AT + 2 * DAY_MS }, 'signal', /\/occurred_at must not be/],
  ['metadata nested beyond use', { text: 'x', metadata: nested(65) }, 'signal', /\/metadata must not nest deeper/],
  [
    'more metadata than the edge takes',
    { text: 'x', metadata: { list: Array(1_000).fill(1) } },
    'signal',
    /\/metadata must have at most 1000 values/,
  ],
  [
    'a body over 1 MiB',
    { text: 'x', metadata: { blob: 'x'.repeat(1_048_576) } },
    'signal',
    /at most 1048576 are allowed/,
  ],
  ['a push without commits', { ...push, commits: [] }, 'push', /\/commits/],
  [
    'a pull request that was closed',
    { ...pullRequest, action: 'closed' },
    'pull_request',
    /\/action must be one of opened/,
  ],
  ['a release in the shape of a push', push, 'release', /\/tag is required/],
  [
    'a mail with a part of an unknown kind',
    { ...mail, cuts: [{ kind: 'poem', text: '' }] },
    'email',
    /\/cuts\/0\/kind must be one of signature/,
  ],
  ['a mail without an author', { ...mail, author: null }, 'email', /\/author/],
  [
    'a mail whose attachment has no size',
    { ...mail, attachments: [{ name: 'a', type: 'b' }] },
    'email',
    /\/attachments\/0/,
  ],
  ['a deployment of nobody', { ...deployment, actor: null }, 'deployment', /\/actor/],
] as const) {
  test(`a sender's fault ends ${what}, and says what is wrong`, async () => {
    const result = await validate(body, format)
    assert.equal(result?.kind, 'dead')
    assert.match(result.reason, reason)
    assert.equal(result.fault, 'sender')
  })
}

test('the reason says nothing of what was sent', async () => {
  const result = await validate({ text: 'x', signal_origin: 'private@example.com', metadata: 'private@example.com' })
  assert.equal(result?.kind, 'dead')
  assert.doesNotMatch(result.reason, /private/)
})

test('one bad record leaves its neighbours alone', async () => {
  const results = await createValidate().run([received({ text: 'a' }), received('{'), received({ text: 'b' })])
  assert.deepEqual(results, [next({}), dead('The body is not JSON.', 'sender'), next({})])
})
