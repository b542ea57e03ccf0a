import { randomUUID } from 'node:crypto'
import { type Static, Type } from 'typebox'
import type { ConnectionSettings } from '../../../../schemas/http/connection.ts'
import { requestBody } from '../request-body.ts'
import { type HttpSourceKind, requestHeaders } from '../request-headers.ts'
import * as bearer from './bearer.ts'
import { curl } from './curl.ts'
import * as hmac from './hmac.ts'
import * as standardWebhook from './standard-webhook.ts'

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

interface ExamplesOf {
  readonly url: string
  readonly secret: string
  readonly settings: ConnectionSettings
  readonly at: Date
}

/** Programs that send to a source; they hold its secret. */
export const examplesOf = (source: HttpSourceKind, { url, secret, settings, at }: ExamplesOf): Examples => {
  const body = requestBody(source, { settings, text: TEXT, at })
  const headers = requestHeaders(source, { secret, body, id: randomUUID(), at })
  const example = { url, secret, body, headers }
  switch (source.kind) {
    case 'signal':
      return {
        curl: curl(example),
        openssl: hmac.openssl(example),
        node: hmac.node(example),
        python: hmac.python(example),
      }
    case 'metric':
      return { curl: curl(example), node: bearer.node(example), python: bearer.python(example) }
    case 'connection':
      return {
        // Signed now: it is taken for five minutes.
        curl: curl(example),
        openssl: standardWebhook.openssl(example),
        node: standardWebhook.node(example),
        python: standardWebhook.python(example),
      }
    case 'code_host':
      return {
        curl: curl(example),
        openssl: hmac.openssl(example),
        node: hmac.node(example),
        python: hmac.python(example),
      }
  }
}
