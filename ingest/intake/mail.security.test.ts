import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createShares } from '../../infra/runtime/shares.ts'
import { newTrace } from '../../infra/runtime/traces.ts'
import { formatIngestionAddress } from '../../model/sources/ingestion-address.ts'
import type { TenantId } from '../../schemas/domain/ids.ts'
import type { IncomingBody } from '../http/body.ts'
import { createFailureBudget } from '../limits/budgets.ts'
import { emailReceiver } from '../receivers/email/receiver.ts'
import type { Source } from '../registry/source.ts'
import { testSource } from '../testing.ts'
import { handlePostedMail } from './mail.ts'

const DOMAIN = 'in.example.com'
const SECRET = 'the-secret-of-the-mail-infrastructure'

test('mail that is posted counts for its tenants, whether or not its envelope is told', async () => {
  const memoryOf = createShares<TenantId>(1_000, 100)
  const [full, other] = [testSource({ kind: 'email' }), testSource({ kind: 'email' })]
  const sources = new Map([full, other].map(source => [source.id, source]))
  assert.ok(memoryOf(full.tenantId).take(210))
  const handle = handlePostedMail(
    {
      registry: {
        find: id => {
          const source = sources.get(id)
          return source === undefined ? { kind: 'unknown' } : { kind: 'found', source }
        },
      },
      failures: createFailureBudget(10),
      memoryOf,
      acceptMail: async () => ({ kind: 'accepted', snippetIds: [], headers: {} }),
      mailDomain: DOMAIN,
      emailIngestSecret: SECRET,
    },
    emailReceiver,
  )
  const post = async (recipients: readonly Source[], isTold: boolean) => {
    const to = recipients.map(({ id }) => formatIngestionAddress({ slug: 'acme', sourceId: id, domain: DOMAIN }))
    const bytes = Buffer.from(`To: ${to.join(', ')}\r\nSubject: s\r\n\r\ntext`)
    const body: IncomingBody = {
      outcome: Promise.resolve({ kind: 'complete', bytes }),
      pause: () => {},
      resume: () => {},
      countIn: share => share.take(bytes.byteLength),
      ended: () => true,
      aborted: () => false,
      release: () => {},
    }
    const envelope = isTold ? { 'x-envelope-to': to.join(', ') } : {}
    const head = {
      method: 'POST',
      path: emailReceiver.path,
      query: '',
      headers: { authorization: `Bearer ${SECRET}`, ...envelope },
      address: () => '192.0.2.1',
      contentLength: bytes.byteLength,
    }
    const outcome = await handle(head, body, () => {}, newTrace())
    return outcome.kind === 'refusal' ? outcome.reason : outcome.kind
  }
  for (const isTold of [true, false]) {
    assert.equal(await post([full], isTold), 'overloaded')
    assert.equal(await post([other, full], isTold), 'overloaded')
    assert.equal(await post([other], isTold), 'answer')
  }
})
