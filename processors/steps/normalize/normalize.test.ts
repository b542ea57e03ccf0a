import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textHash } from '../../../model/signals/normalize.ts'
import { type Content, NO_CUTS } from '../../../schemas/events/signal.ts'
import { RECEIVED_AT } from '../../framework/testing.ts'
import { received } from '../testing.ts'
import { createNormalize } from './normalize.ts'

const normalize = async (body: unknown, format?: Parameters<typeof received>[1]): Promise<Content> => {
  const [result] = await createNormalize().run([received(body, format)])
  assert.equal(result?.kind, 'next')
  assert.equal(result.adds.received, null)
  return result.adds.content
}

test('a signal with nothing but a text is a customer’s, by a user, at no known time', async () => {
  assert.deepEqual(await normalize({ text: 'The export fails' }), {
    text: 'The export fails',
    text_hash: textHash('the export fails'),
    event: null,
    source: null,
    source_url: null,
    actor_name: null,
    actor_email: null,
    actor_key: null,
    signal_origin: 'customer',
    actor_role: 'user',
    occurred_at: null,
    metadata: '{}',
    ...NO_CUTS,
  })
})

test('every field that a sender gives is kept', async () => {
  const content = await normalize({
    text: 'x',
    source: ' desk ',
    source_url: 'https://desk.example/7?a=b',
    occurred_at: '2026-01-31T10:30:00+02:00',
    actor_name: 'Sender',
    actor_email: 'sender@example.com',
    signal_origin: 'operational',
    actor_role: 'system',
    metadata: { plan: 'team', seats: 7, deep: [{ a: null }] },
    event: 'ticket.created',
  })
  assert.equal(content.source, 'desk')
  assert.equal(content.source_url, 'https://desk.example/7?a=b')
  assert.equal(content.occurred_at, Date.UTC(2026, 0, 31, 8, 30))
  assert.deepEqual([content.actor_name, content.actor_email], ['Sender', 'sender@example.com'])
  assert.deepEqual(
    [content.signal_origin, content.actor_role, content.event],
    ['operational', 'system', 'ticket.created'],
  )
  assert.deepEqual(JSON.parse(content.metadata), { plan: 'team', seats: 7, deep: [{ a: null }] })
})

for (const [what, sent, text] of [
  ['decomposed letters are composed', 'cafe\u0301', 'caf\u00e9'],
  ['NUL goes', 'a\0b', 'ab'],
  ['lone surrogates go, pairs stay', 'a\ud800b \udc00👍', 'ab 👍'],
  ['line ends become line feeds', 'a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
] as const) {
  test(`text: ${what}`, async () => assert.equal((await normalize({ text: sent })).text, text))
}

const NOON = Date.UTC(2026, 3, 30, 12)
for (const [what, occurred_at, expected] of [
  ['ISO 8601 with an offset', '2026-04-30T14:00:00+02:00', NOON],
  ['ISO 8601 in UTC', '2026-04-30T12:00:00Z', NOON],
  ['a date alone', '2026-04-30', Date.UTC(2026, 3, 30)],
  ['epoch seconds', NOON / 1000, NOON],
  ['epoch milliseconds', NOON, NOON],
  ['nothing', undefined, null],
] as const) {
  test(`a time given as ${what} is kept in UTC`, async () =>
    assert.equal((await normalize({ text: 'x', occurred_at })).occurred_at, expected))
}

test('metadata is cleaned in its keys and values, whatever they are called', async () => {
  const content = await normalize('{"text":"x","metadata":{"a\\u0000":["b\\ud800"],"__proto__":{"c":1}}}')
  assert.equal(content.metadata, '{"a":["b"],"__proto__":{"c":1}}')
})

test('a source_url that no browser should follow is a fact, not a link', async () => {
  const content = await normalize({ text: 'x', source_url: 'javascript:alert(1)', metadata: { plan: 'team' } })
  assert.equal(content.source_url, null)
  assert.deepEqual(JSON.parse(content.metadata), { source_url: 'javascript:alert(1)', plan: 'team' })
})

test('a long label is cut, between characters', async () => {
  assert.equal((await normalize({ text: 'x', source: '👍'.repeat(300) })).source, '👍'.repeat(200))
})

test('a text of which nothing is left ends as the sender’s fault', async () => {
  const [result] = await createNormalize().run([received({ text: '\0\ud800' })])
  assert.deepEqual([result?.kind, result?.kind === 'dead' && result.fault], ['dead', 'sender'])
})

test('marks that crowd on one letter are parted, as UAX #15 says, which keeps their normalization from taking seconds', async () => {
  const { text } = await normalize({ text: `a${'\u0315\u0300'.repeat(24_999)}` })
  const runs = text.split('\u034f')
  assert.ok(runs.length > 1_600)
  assert.ok(runs.every(run => run.length <= 31))
})

const shared = {
  code_host: 'github',
  repository: 'octo-org/octo-repo',
  url: 'https://github.com/octo-org/octo-repo',
  actor: { login: 'sender', email: 'sender@example.com', bot: false },
  occurred_at: RECEIVED_AT,
  shortened: false,
}

test('a push is read as its branch and its messages', async () => {
  const content = await normalize(
    {
      ...shared,
      ref: 'refs/heads/main',
      commits: [
        { id: 'a1', message: 'Fix the export\n\nIt timed out.' },
        { id: 'b2', message: 'Test it' },
      ],
      commit_count: 3,
      shortened: true,
    },
    'push',
  )
  assert.equal(
    content.text,
    'Push of 3 commits to main of octo-org/octo-repo\n\n- Fix the export\n\nIt timed out.\n- Test it',
  )
  assert.deepEqual(
    [content.event, content.source, content.source_url, content.signal_origin, content.actor_role, content.occurred_at],
    ['push', 'github/octo-org/octo-repo', shared.url, 'internal', 'engineer', RECEIVED_AT],
  )
  assert.deepEqual([content.actor_name, content.actor_email], ['sender', 'sender@example.com'])
  assert.deepEqual(JSON.parse(content.metadata), {
    code_host: 'github',
    repository: 'octo-org/octo-repo',
    ref: 'refs/heads/main',
    commits: ['a1', 'b2'],
    commit_count: 3,
    shortened: true,
  })
})

test('a bot’s pull request is the system’s', async () => {
  const content = await normalize(
    {
      ...shared,
      actor: { login: 'updater[bot]', email: null, bot: true },
      action: 'merged',
      number: 7,
      title: 'Raise a version',
      body: '',
      branch: 'sol-12-export',
      base: 'main',
    },
    'pull_request',
  )
  assert.equal(content.text, 'Pull request #7 merged in octo-org/octo-repo: Raise a version')
  assert.deepEqual([content.event, content.actor_role], ['pull_request.merged', 'system'])
  assert.equal(JSON.parse(content.metadata).branch, 'sol-12-export')
})

test('a release is read with its title and notes, and a tag is not said twice', async () => {
  const release = { ...shared, tag: 'v1.2', name: 'Faster exports', body: 'Notes.', prerelease: false }
  assert.equal(
    (await normalize(release, 'release')).text,
    'Release v1.2 of octo-org/octo-repo: Faster exports\n\nNotes.',
  )
  const plain = { ...release, name: 'v1.2', body: '', prerelease: true }
  assert.equal((await normalize(plain, 'release')).text, 'Prerelease v1.2 of octo-org/octo-repo')
})

test('a deployment is operational', async () => {
  const deployment = {
    ...shared,
    environment: 'production',
    ref: 'main',
    sha: 'a1',
    task: 'deploy',
    description: 'Nightly',
  }
  const content = await normalize(deployment, 'deployment')
  assert.equal(content.text, 'Deployment of main of octo-org/octo-repo to production\n\nNightly')
  assert.equal(content.signal_origin, 'operational')
})

const mail = {
  subject: 'The export fails',
  text: 'It stops at 10,000 rows.',
  cuts: [],
  author: { name: 'Sender', email: 'sender@example.com' },
  occurred_at: RECEIVED_AT,
  forward: null,
  automatic: false,
  thread: null,
  attachments: [],
  attachment_count: 0,
  shortened: false,
}

test('a mail is read as its subject and its newest part, a customer’s', async () => {
  const content = await normalize(mail, 'email')
  assert.equal(content.text, 'The export fails\n\nIt stops at 10,000 rows.')
  assert.deepEqual(
    [content.source, content.event, content.signal_origin, content.actor_role, content.occurred_at],
    ['email', null, 'customer', 'user', RECEIVED_AT],
  )
  assert.deepEqual([content.actor_name, content.actor_email], ['Sender', 'sender@example.com'])
  assert.deepEqual(JSON.parse(content.metadata), { subject: 'The export fails' })
})

test('what is not in the text of a mail, who forwarded it and what was attached to it stay apart from it', async () => {
  const by = { name: 'Desk', email: 'desk@example.org' }
  const attachments = [{ name: 'shot.png', type: 'image/png', size: 200 }]
  const content = await normalize(
    {
      ...mail,
      subject: '',
      cuts: [
        { kind: 'quoted', text: 'Which export?\r\nThe\0 one of May?\n' },
        { kind: 'signature', text: 'Kim' },
      ],
      cut_omitted: 12,
      forward: { by, note: 'Third this week.' },
      automatic: true,
      thread: 'a1b2',
      attachments,
      attachment_count: 60,
      shortened: true,
    },
    'email',
  )
  assert.equal(content.text, 'It stops at 10,000 rows.')
  assert.equal(content.actor_role, 'system')
  assert.deepEqual(JSON.parse(content.metadata), {
    subject: '',
    thread: 'a1b2',
    forwarded_by: by,
    note: 'Third this week.',
    attachments,
    attachment_count: 60,
    automatic: true,
    shortened: true,
  })
  assert.deepEqual(
    [content.cut_signature, content.cut_quoted, content.cut_footer, content.cut_omitted],
    ['Kim', 'Which export?\nThe one of May?', null, 12],
  )
})

test('what a mail of an older program quotes stays apart as well', async () => {
  const { cuts: _, ...older } = mail
  const { metadata, ...content } = await normalize({ ...older, quoted: 'Which export?' }, 'email')
  assert.deepEqual(JSON.parse(metadata), { subject: 'The export fails' })
  assert.equal(content.cut_quoted, 'Which export?')
  assert.equal((await normalize({ ...older, quoted: '' }, 'email')).cut_quoted, null)
})

test('nobody but a mail has anything beside its text', async () => {
  const content = await normalize({ text: 'x', cuts: [{ kind: 'quoted', text: 'y' }], metadata: { cut_quoted: 'z' } })
  assert.partialDeepStrictEqual(content, NO_CUTS)
})
