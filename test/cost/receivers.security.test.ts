import { test } from 'node:test'
import { BODIES, MAILS } from './bodies.testing.ts'
import { assertLinear, LONG } from './measure.testing.ts'
import { receive, receiveMail } from './receivers.testing.ts'

const MAX_BYTES = LONG ? 1_000_000 : 50_000
const MAX_MAIL_BYTES = LONG ? 10_000_000 : 200_000

test('a receiver takes time by the size of a body, whatever it is made of', async () => {
  for (const [what, make] of Object.entries(BODIES)) await assertLinear(what, MAX_BYTES, make, receive)
})

test('a mail takes time by its size, whatever it is made of', async () => {
  await receiveMail(MAILS.words?.(10_000) ?? '')
  for (const [what, make] of Object.entries(MAILS)) await assertLinear(what, MAX_MAIL_BYTES, make, receiveMail)
})
