import { createHmac } from 'node:crypto'
import type { CreatableKind } from './source-address.ts'

export interface Examples {
  readonly curl: string
  readonly openssl: string
}

interface Wording {
  readonly signatureHeader: string
  /** Further headers that the receiver wants. */
  readonly headers: readonly string[]
  readonly body: string
}

const WORDING: Readonly<Record<CreatableKind, Wording>> = {
  signal: {
    signatureHeader: 'X-Service-Signature',
    headers: [],
    body: JSON.stringify({ text: 'The CSV export fails with an error after 100 rows.', source: 'first-try' }),
  },
  code_host: {
    signatureHeader: 'X-Hub-Signature-256',
    headers: ['X-GitHub-Event: ping', 'X-GitHub-Delivery: 00000000-0000-4000-8000-000000000000'],
    body: JSON.stringify({ zen: 'Keep it logically awesome.', hook_id: 1 }),
  },
}

/**
 * Commands for a POSIX shell. `curl` sends a fixed body under its right signature; `openssl` signs whatever body is put into it.
 * Nothing in them needs quoting beyond single quotes: the URL, the hexadecimal secret and the body hold none.
 */
export const signingExamples = (kind: CreatableKind, url: string, secret: string): Examples => {
  const { signatureHeader, headers, body } = WORDING[kind]
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const common = ['Content-Type: application/json', ...headers].map(header => `  -H '${header}' \\`)
  const curl = [
    `curl -X POST '${url}' \\`,
    ...common,
    `  -H '${signatureHeader}: sha256=${signature}' \\`,
    `  --data-binary '${body}'`,
  ]
  const openssl = [
    `secret='${secret}'`,
    `body='${body}'`,
    `signature=$(printf '%s' "$body" | openssl dgst -sha256 -hmac "$secret" | sed 's/^.* //')`,
    `curl -X POST '${url}' \\`,
    ...common,
    `  -H "${signatureHeader}: sha256=$signature" \\`,
    `  --data-binary "$body"`,
  ]
  return { curl: curl.join('\n'), openssl: openssl.join('\n') }
}
