import type { ExampleOf } from './example.ts'
import { curlCommand, shellWord } from './quoting.ts'

const SIGNATURE = 'sha256='

/** Signs whatever `body` is put into it. */
export const openssl = ({ url, secret, body, headers }: ExampleOf): string => {
  const words = Object.entries(headers).map(([name, value]) =>
    value.startsWith(SIGNATURE) ? `"${name}: ${SIGNATURE}$signature"` : shellWord(`${name}: ${value}`),
  )
  return `secret=${shellWord(secret)}
body=${shellWord(body)}
signature=$(printf '%s' "$body" | openssl dgst -sha256 -hmac "$secret" | sed 's/^.* //')
${curlCommand(url, words, '"$body"')}`
}

/** A text as JavaScript and Python both write it. */
const literal = JSON.stringify

export const node = ({ url, secret, body }: ExampleOf): string =>
  `import { createHmac } from 'node:crypto'

const secret = ${literal(secret)}
const body = JSON.stringify(${body})
const signature = createHmac('sha256', secret).update(body).digest('hex')
const response = await fetch(${literal(url)}, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'X-Service-Signature': \`sha256=\${signature}\` },
  body,
})
console.log(response.status, await response.text())`

export const python = ({ url, secret, body }: ExampleOf): string =>
  `import hashlib, hmac, json, urllib.request

secret = ${literal(secret)}
body = json.dumps(${body}).encode()
signature = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
request = urllib.request.Request(${literal(url)}, data=body, method="POST", headers={
    "Content-Type": "application/json",
    "X-Service-Signature": f"sha256={signature}",
})
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`
