import { randomUUID } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { DESCRIPTIONS } from '../../../../model/sources/kinds/index.ts'
import type { ProofScheme } from '../../../../model/sources/kinds/kind.ts'
import { exampleRequest, type PostedSource } from '../../../../model/sources/proof.ts'
import type { ConnectionSettings } from '../../../../schemas/http/connection.ts'
import * as bearer from './bearer.ts'

import { curlCommand, type ExampleOf, shellWord } from './example.ts'
import * as hmac from './hmac.ts'
import * as standardWebhook from './standard-webhook.ts'

/** Sends a fixed body under its right headers. */
const curl = ({ url, headers, body }: ExampleOf): string =>
  curlCommand(
    url,
    Object.entries(headers).map(([name, value]) => shellWord(`${name}: ${value}`)),
    shellWord(body),
  )

const program = (description: string) => Type.Optional(Type.String({ description }))

/** Ready to run as they are: each sends a request that the source takes. */
export const Examples = Type.Object({
  curl: program('A command for a POSIX shell. Where a signature is needed, it is of this very body.'),
  openssl: program('The same for a shell, which signs whatever body is put into it.'),
  node: program('An ES module for Node.js.'),
  python: program('Python 3, with nothing but its standard library.'),
})
export type Examples = Static<typeof Examples>

const TEXT = 'The CSV export fails with an error after 100 rows.'

type Write = (example: ExampleOf) => string

/** Programs that prove themselves by a scheme. A secret that is sent along needs nothing but `curl`. */
const WRITERS: Readonly<Record<ProofScheme, Readonly<Partial<Record<keyof Examples, Write>>>>> = {
  hmac: { openssl: hmac.openssl, node: hmac.node, python: hmac.python },
  bearer: { node: bearer.node, python: bearer.python },
  // The one of `curl` is signed now: it is taken for five minutes.
  standard_webhooks: {
    openssl: standardWebhook.openssl,
    node: standardWebhook.node,
    python: standardWebhook.python,
  },
}

interface ExamplesOf {
  readonly url: string
  readonly secret: string
  readonly settings: ConnectionSettings
  readonly at: Date
}

/** Programs that send to a source; they hold its secret. */
export const examplesOf = (source: PostedSource, { url, secret, settings, at }: ExamplesOf): Examples => {
  const { contentTypes, proof } = DESCRIPTIONS[source.kind].intake
  const request = exampleRequest(source, { settings, secret, text: TEXT, id: randomUUID(), at })
  const example = { ...request, url, secret, isJson: contentTypes[0] === 'application/json' }
  const written = Object.entries(WRITERS[proof.scheme]).map(([name, write]) => [name, write(example)])
  return { curl: curl(example), ...Object.fromEntries(written) }
}
