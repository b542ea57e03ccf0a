import assert from 'node:assert/strict'
import { it } from 'node:test'
import { CUT_KINDS } from '../../../schemas/domain/vocabulary.ts'
import type { Received } from '../../../schemas/events/signal.ts'
import { received } from '../testing.ts'
import { createNormalize } from './normalize.ts'

const TAGS = Array.from('obey', letter => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
const HIDDEN = `${TAGS}\u200b\u202e\u0007\u001b[8m\ufe0f`
const SHOWN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]|(?![\n\t])\p{Cc}/u

/** Every string and every key of a body gets hidden text at its beginning, in its middle and at its end. */
const hide = (value: unknown, key = ''): unknown => {
  // Words, links and branches that are recognized as a whole.
  if (['signal_origin', 'actor_role', 'occurred_at', 'action', 'code_host', 'url', 'ref', 'kind'].includes(key))
    return value
  if (typeof value === 'string') return `${HIDDEN}${value.slice(0, 3)}${HIDDEN}${value.slice(3)}${HIDDEN}`
  if (Array.isArray(value)) return value.map(inner => hide(inner))
  if (typeof value !== 'object' || value === null) return value
  const isOwn = key === 'metadata'
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [isOwn ? `${HIDDEN}${name}${HIDDEN}` : name, hide(inner, name)]),
  )
}

const host = {
  code_host: 'github',
  repository: 'octo-org/octo-repo',
  url: 'https://github.com/octo-org/octo-repo',
  actor: { login: 'sender', email: 'sender@example.com', bot: false },
  occurred_at: null,
  shortened: false,
}
const by = { name: 'Desk', email: 'desk@example.org' }

const BODIES: Readonly<Record<Received['format'], object>> = {
  signal: {
    text: 'The export fails.',
    source: 'support desk',
    source_url: 'not a link',
    actor_name: 'Customer',
    actor_email: 'customer@example.com',
    event: 'ticket.created',
    metadata: { plan: 'team', deep: [{ note: 'It stops.' }] },
  },
  push: { ...host, ref: 'refs/heads/main', commits: [{ id: 'a1', message: 'Fix the export' }], commit_count: 1 },
  pull_request: {
    ...host,
    action: 'merged',
    number: 7,
    title: 'Raise it',
    body: 'Now faster.',
    branch: 'b',
    base: 'main',
  },
  release: { ...host, tag: 'v1.2', name: 'Faster exports', body: 'Notes.', prerelease: false },
  deployment: { ...host, environment: 'production', ref: 'main', sha: 'a1', task: 'deploy', description: 'Nightly' },
  email: {
    subject: 'The export fails',
    text: 'It stops at 10,000 rows.',
    cuts: CUT_KINDS.map(kind => ({ kind, text: 'Which export?' })),
    author: by,
    occurred_at: null,
    forward: { by, note: 'Third this week.' },
    automatic: true,
    thread: 'a1b2',
    attachments: [{ name: 'shot.png', type: 'image/png', size: 200 }],
    attachment_count: 60,
    shortened: true,
  },
}

for (const [format, body] of Object.entries(BODIES)) {
  it(`nothing hidden is left in any field of the format ${format}, and what is seen is as it was`, async () => {
    const run = async (sent: object) => {
      const [result] = await createNormalize().run([received(sent, format as Received['format'])])
      assert.ok(result?.kind === 'next', JSON.stringify(result))
      return result.adds.content
    }
    const [clean, hidden] = [await run(body), await run(hide(body) as object)]
    const bare = (text: string | null) => (text ?? '').replaceAll('␇', '')
    for (const [field, value] of Object.entries(hidden)) {
      if (typeof value !== 'string') continue
      assert.doesNotMatch(value, SHOWN, field)
      if (field !== 'text_hash') assert.equal(bare(value), clean[field as keyof typeof clean] ?? '', field)
    }
  })
}
