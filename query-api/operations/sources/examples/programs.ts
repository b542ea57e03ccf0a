import { randomUUID } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { DESCRIPTIONS } from '../../../../model/sources/kinds/index.ts'
import type { ProofScheme } from '../../../../model/sources/kinds/kind.ts'
import { exampleRequest, type PostedSource } from '../../../../model/sources/proof.ts'
import type { ConnectionSettings } from '../../../../schemas/http/connection.ts'

const program = (description: string) => Type.Optional(Type.String({ description }))

/** Complete programs: each sends a request that the source accepts. */
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

/** Programs that send to a source; they contain its secret. */
export const examplesOf = (source: PostedSource, { url, secret, settings, at }: ExamplesOf): Examples => {
  const { contentTypes, proof } = DESCRIPTIONS[source.kind].intake
  const request = exampleRequest(source, { settings, secret, text: TEXT, id: randomUUID(), at })
  const example = { ...request, url, secret, isJson: contentTypes[0] === 'application/json' }
  const written = Object.entries(PROGRAMS[proof.scheme]).map(([name, write]) => [name, write(example)])
  return { curl: curl(example), ...Object.fromEntries(written) }
}

interface ExampleOf {
  readonly url: string
  readonly secret: string
  readonly body: string
  /** True for a JSON body, which is written as the language's own values. */
  readonly isJson: boolean
  /** Headers of a valid request with this body. */
  readonly headers: Readonly<Record<string, string>>
}

/** A text as JavaScript and Python both write it. */
const literal = (text: string): string => JSON.stringify(text)

/** A JavaScript expression of the body. */
const javascriptBody = ({ body, isJson }: ExampleOf): string => (isJson ? `JSON.stringify(${body})` : literal(body))

/** A Python expression of the body. */
const pythonBody = ({ body, isJson }: ExampleOf): string => (isJson ? `json.dumps(${body})` : literal(body))

/** A text as one word of a POSIX shell. */
const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const CONTINUED = ' \\\n  '

/** A `curl` that posts; the headers and the body are quoted shell words. */
const curlCommand = (url: string, headers: readonly string[], body: string): string =>
  [`curl -X POST ${shellWord(url)}`, ...headers.map(header => `-H ${header}`), `--data-binary ${body}`].join(CONTINUED)

/** Sends a fixed body with its valid headers. */
const curl = ({ url, headers, body }: ExampleOf): string =>
  curlCommand(
    url,
    Object.entries(headers).map(([name, value]) => shellWord(`${name}: ${value}`)),
    shellWord(body),
  )

const SIGNATURE = 'sha256='

/** Signs any content of `body`. */
const hmacOpenssl = ({ url, secret, body, headers }: ExampleOf): string => {
  const words = Object.entries(headers).map(([name, value]) =>
    value.startsWith(SIGNATURE) ? `"${name}: ${SIGNATURE}$signature"` : shellWord(`${name}: ${value}`),
  )
  return `secret=${shellWord(secret)}
body=${shellWord(body)}
signature=$(printf '%s' "$body" | openssl dgst -sha256 -hmac "$secret" | sed 's/^.* //')
${curlCommand(url, words, '"$body"')}`
}

/** One header a line; `signed` is the language's expression for the signature within a text. */
const headerLines = ({ headers }: ExampleOf, indent: string, signed: string): string =>
  Object.entries(headers)
    .map(([name, value]) => `${indent}${literal(name)}: ${value.startsWith(SIGNATURE) ? signed : literal(value)},`)
    .join('\n')

const hmacNode = (example: ExampleOf): string =>
  `import { createHmac } from 'node:crypto'

const secret = ${literal(example.secret)}
const body = ${javascriptBody(example)}
const signature = createHmac('sha256', secret).update(body).digest('hex')
const response = await fetch(${literal(example.url)}, {
  method: 'POST',
  headers: {
${headerLines(example, '    ', `\`${SIGNATURE}\${signature}\``)}
  },
  body,
})
console.log(response.status, await response.text())`

const hmacPython = (example: ExampleOf): string =>
  `import hashlib, hmac, json, urllib.request

secret = ${literal(example.secret)}
body = ${pythonBody(example)}.encode()
signature = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
request = urllib.request.Request(${literal(example.url)}, data=body, method="POST", headers={
${headerLines(example, '    ', 'f"sha256={signature}"')}
})
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`

/** Headers except the secret's, each with its value as a text of the language. */
const headersBesideSecret = ({ headers }: ExampleOf): (readonly [name: string, value: string])[] =>
  Object.entries(headers).filter(([name]) => name !== 'Authorization')

const bearerNode = (example: ExampleOf): string =>
  `const secret = ${literal(example.secret)}
const response = await fetch(${literal(example.url)}, {
  method: 'POST',
  headers: { ${headersBesideSecret(example)
    .map(([name, value]) => `'${name}': ${literal(value)}, `)
    .join('')}Authorization: \`Bearer \${secret}\` },
  body: ${javascriptBody(example)},
})
console.log(response.status, await response.text())`

const bearerPython = (example: ExampleOf): string =>
  `import json, urllib.request

secret = ${literal(example.secret)}
body = ${pythonBody(example)}.encode()
request = urllib.request.Request(${literal(example.url)}, data=body, method="POST", headers={
${headersBesideSecret(example)
  .map(([name, value]) => `    ${literal(name)}: ${literal(value)},\n`)
  .join('')}    "Authorization": f"Bearer {secret}",
})
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`

/** Headers except those of the proof. */
const headersBesideProof = ({ headers }: ExampleOf): (readonly [name: string, value: string])[] =>
  Object.entries(headers).filter(([name]) => !name.startsWith('webhook-'))

/** Signs `<webhook-id>.<webhook-timestamp>.<body>` with the secret's bytes (Standard Webhooks specification). */
const webhookOpenssl = (example: ExampleOf): string => {
  const { url, secret, body } = example
  const headers = [
    ...headersBesideProof(example).map(([name, value]) => shellWord(`${name}: ${value}`)),
    `"webhook-id: $id"`,
    `"webhook-timestamp: $timestamp"`,
    `"webhook-signature: v1,$signature"`,
  ]
  return `secret=${shellWord(secret)}
body=${shellWord(body)}
id="msg_$(openssl rand -hex 16)"
timestamp=$(date +%s)
key=$(printf '%s' "\${secret#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
signature=$(printf '%s' "$id.$timestamp.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
${curlCommand(url, headers, '"$body"')}`
}

const webhookNode = (example: ExampleOf): string =>
  `// npm install standardwebhooks
import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

const body = ${javascriptBody(example)}
const id = \`msg_\${randomUUID()}\`
const now = new Date()
const response = await fetch(${literal(example.url)}, {
  method: 'POST',
  headers: {
${headersBesideProof(example)
  .map(([name, value]) => `    '${name}': ${literal(value)},\n`)
  .join('')}    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(${literal(example.secret)}).sign(id, now, body),
  },
  body,
})
console.log(response.status, await response.text())`

/** The specification's signature with the standard library alone. */
const webhookPython = (example: ExampleOf): string =>
  `import base64, hashlib, hmac, json, time, urllib.request, uuid

secret = ${literal(example.secret)}
body = ${pythonBody(example)}.encode()
id = f"msg_{uuid.uuid4()}"
timestamp = str(int(time.time()))
key = base64.b64decode(secret.removeprefix("whsec_"))
signed = f"{id}.{timestamp}.".encode() + body
signature = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
request = urllib.request.Request(${literal(example.url)}, data=body, method="POST", headers={
${headersBesideProof(example)
  .map(([name, value]) => `    ${literal(name)}: ${literal(value)},\n`)
  .join('')}    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": f"v1,{signature}",
})
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`

type Write = (example: ExampleOf) => string

/** Programs by proof scheme. A secret that is sent along needs only `curl`. */
const PROGRAMS: Readonly<Record<ProofScheme, Readonly<Partial<Record<'openssl' | 'node' | 'python', Write>>>>> = {
  hmac: { openssl: hmacOpenssl, node: hmacNode, python: hmacPython },
  bearer: { node: bearerNode, python: bearerPython },
  // The `curl` command is signed now: the source accepts it for five minutes.
  standard_webhooks: { openssl: webhookOpenssl, node: webhookNode, python: webhookPython },
}
