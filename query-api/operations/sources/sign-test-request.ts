import { randomUUID } from 'node:crypto'
import { DESCRIPTIONS, isPosted } from '../../../model/sources/kinds/index.ts'
import { exampleRequest } from '../../../model/sources/proof.ts'
import { sealedSecretOf } from '../../../model/sources/sources.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { AssayError, readOperation, Type } from '../define.ts'
import { resolveSource, sourceAddressOf, sourceId } from './source.ts'

/** Placeholder for a secret of which only the hash is known. */
const SECRET_HERE = '{secret}'

const TEXT = 'This is a test of the source.'

export const signTestRequest = readOperation({
  name: 'sign_test_request',
  title: 'Sign a test request',
  summary:
    'Answers a test request to a source, signed as its sender would, for the caller to send as it is: POST the body to the URL with the headers. It shows what a right request looks like; it is marked as a test, which goes the whole way through the pipeline and counts nowhere. Nothing is sent from here.',
  units: 1,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({ id: sourceId }),
  output: Type.Object({
    url: ownText(),
    headers: Type.Record(Type.String(), Type.String()),
    body: Type.String({ description: 'To be sent byte for byte: the signature is of this.' }),
    secret_missing: Type.Boolean({
      description: `Only a hash of the secret is stored: put the secret where the headers say ${SECRET_HERE}.`,
    }),
    expected_response: Type.String({ description: 'What the endpoint answers, and what that leaves.' }),
  }),
  run: async ({ id }, { read, services }) => {
    const { source, sealed } = await read(async transaction => {
      const found = await resolveSource(transaction, id)
      return { source: found, sealed: await sealedSecretOf(transaction, found.id) }
    })
    const { url, address } = sourceAddressOf(services, source, source.slug)
    const { kind, code_host, settings } = source
    if (!isPosted(kind) || url === null) {
      const to = address === null ? 'This installation takes no mail' : `Write a mail to ${address} instead`
      throw new AssayError('invalid_input', `Nothing is posted to a source of kind ${kind}. ${to}.`)
    }
    const secret = sealed === null ? SECRET_HERE : services.unseal(sealed)
    const given = { settings, text: TEXT, secret, id: randomUUID(), at: services.now() }
    const { headers, body } = exampleRequest({ kind, code_host }, given)
    const expected_response = source.paused_at === null ? DESCRIPTIONS[kind].intake.expectedResponse : WHILE_PAUSED
    const marked = { ...headers, 'X-Service-Test': 'true' }
    return { data: { url, headers: marked, body, secret_missing: sealed === null, expected_response } }
  },
})

const WHILE_PAUSED =
  '503 source_paused: the source is paused. service_connect mode update with paused: false resumes it.'
