import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TEST_SUBJECT } from '../../schemas/domain/source-form.ts'
import { TEST_HEADER } from '../../schemas/http/headers.ts'
import { SENDERS } from '../hostile/senders.ts'
import { testSource } from '../registry/testing.ts'
import { mailDraft } from './email/receiver.ts'

const mail = (subject: string) => ({
  messageId: null,
  receivedAt: Date.now(),
  mail: {
    subject,
    text: 'Does it arrive?',
    quoted: '',
    author: { name: 'Sender', email: 'sender@example.com' },
    occurred_at: null,
    forward: null,
    automatic: false,
    thread: null,
    attachments: [],
    attachment_count: 0,
    shortened: false,
  },
})

describe('a test of a source', () => {
  for (const { name, receiver, headers, body, source: over } of SENDERS) {
    it(`leaves signals that are marked as tests, and nothing else: ${name}`, () => {
      const bytes = Buffer.from(body)
      const receive = (more: Readonly<Record<string, string>>) => {
        const request = { headers: { ...headers(bytes), ...more }, body: bytes, source: testSource(over), traceId: '' }
        const taken = receiver.receive({ ...request, receivedAt: Date.now() })
        assert.equal(taken.kind, 'taken', JSON.stringify(taken))
        return taken.kind === 'taken' ? taken : assert.fail()
      }
      const marks = ({ drafts }: ReturnType<typeof receive>) =>
        drafts.map(draft => (draft.what === 'signal' ? draft.record.is_test : draft.what))
      const real = receive({})
      const test = receive({ [TEST_HEADER]: 'true' })
      assert.deepEqual(Object.keys(test.answer), Object.keys(real.answer))
      assert.ok(real.drafts.length > 0 && !marks(real).includes(true))
      assert.deepEqual(
        marks(test),
        real.drafts.filter(({ what }) => what === 'signal').map(() => true),
      )
      assert.ok(!marks(receive({ [TEST_HEADER]: 'false' })).includes(true))
    })
  }

  it('is a mail with its own subject, and no other', () => {
    const to = testSource({ kind: 'email' })
    assert.equal(mailDraft(to, mail(` ${TEST_SUBJECT} `)).record.is_test, true)
    assert.equal(mailDraft(to, mail(`Re: ${TEST_SUBJECT}`)).record.is_test, false)
  })
})
