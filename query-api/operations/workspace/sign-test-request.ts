import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { readOperation } from '../define.ts'
import { findSource } from './find-source.ts'
import { requestBody } from './request-body.ts'
import { postedTo, requestHeaders } from './request-headers.ts'
import { reachOf } from './source-address.ts'

const SEALED = `select sealed_secret from sources where id = $1 and deleted_at is null`

/** Stands where a secret belongs of which only the hash is known. */
const SECRET_HERE = '{secret}'

const TEXT = 'This is a test of the source. Dismiss it in Triage.'

export const signTestRequest = readOperation({
  name: 'sign_test_request',
  title: 'Sign a test request',
  summary:
    'Answers a test request to a source, signed as its sender would, for the caller to send as it is: POST the body to the URL with the headers. It shows what a right request looks like; a signal or connection makes a Signal of it, a code host ignores its ping. Nothing is sent from here.',
  units: 1,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({ id: Type.String({ format: 'uuid', description: 'The source’s id, from list_sources.' }) }),
  output: Type.Object({
    url: Type.String(),
    headers: Type.Record(Type.String(), Type.String()),
    body: Type.String({ description: 'To be sent byte for byte: the signature is of this.' }),
    lacks_secret: Type.Boolean({
      description: `Only a hash of the secret is stored: put the secret where the headers say ${SECRET_HERE}.`,
    }),
  }),
  run: async ({ id }, { read, services }) => {
    const { source, sealed } = await read(async transaction => {
      const found = await findSource(transaction, id)
      const [stored] = await transaction.query<{ sealed_secret: Uint8Array | null }>(SEALED, [id])
      return { source: found, sealed: stored?.sealed_secret ?? null }
    })
    const { url, address } = reachOf(services, source, source.slug)
    const posted = postedTo(source)
    if (posted === null || url === null) {
      const to = address === null ? 'This installation takes no mail' : `Write a mail to ${address} instead`
      throw new AssayError('invalid_input', `Nothing is posted to a source of kind email. ${to}.`)
    }
    const at = services.now()
    const body = requestBody(posted, { settings: source.settings, text: TEXT, at })
    const secret = sealed === null ? SECRET_HERE : services.unseal(sealed)
    const headers = requestHeaders(posted, { secret, body, id: randomUUID(), at })
    return { data: { url, headers, body, lacks_secret: sealed === null } }
  },
})
