import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testSource } from '../../testing.ts'
import { readMail } from './reading/mail.ts'
import { mailDraft } from './receiver.ts'

const SAID = 'The export stops at ten thousand rows, and nobody can say why.'
const ORIGINAL = `From: Kim Lee <kim@customer.example>
Message-ID: <kim-1@customer.example>
Date: Tue, 3 Nov 2026 11:33:07 +0000
Subject: Export
Content-Type: text/plain

${SAID}
`

const head = (id: string, by: string) => `From: ${by} <${by.toLowerCase()}@vendor.example>
Message-ID: <${id}@vendor.example>
Subject: Fwd: Export
`
const inText = (id: string, by: string, said = SAID, minute = '33') => `${head(id, by)}Content-Type: text/plain

---------- Forwarded message ----------
From: Kim Lee <kim@customer.example>
Date: Tue, 3 Nov 2026 11:${minute}:07 +0000
Subject: Export
To: pat@vendor.example

${said}
`
const attached = (id: string, by: string) => `${head(id, by)}Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

Look at this.
--b
Content-Type: message/rfc822

${ORIGINAL}
--b--
`

const source = testSource({ kind: 'email' })
const idOf = async (mail: string, receivedAt = 1) => {
  const reading = await readMail(Buffer.from(mail.replaceAll('\n', '\r\n')))
  assert.equal(reading.kind, 'mail')
  assert.equal(reading.mail.author.email, 'kim@customer.example')
  return mailDraft(source, { ...reading, receivedAt }).record.signal_id
}

describe('A mail that is forwarded twice', () => {
  it('is one signal where it is attached, by its own Message-ID, and the one that it came as itself', async () => {
    const ids = await Promise.all([attached('1', 'Pat'), attached('2', 'Alex'), ORIGINAL].map(mail => idOf(mail)))
    assert.equal(new Set(ids).size, 1)
  })

  it('is one signal where it is quoted, by who wrote it and when, however its lines are broken', async () => {
    const broken = SAID.replace('rows, and', 'rows,\nand')
    const first = await idOf(inText('1', 'Pat'))
    assert.equal(await idOf(inText('2', 'Alex', broken), 2), first)
    assert.notEqual(await idOf(inText('3', 'Pat', SAID, '34')), first)
    assert.notEqual(await idOf(inText('4', 'Pat', 'The import stops, too.')), first)
  })
})
