import { curlCommand, type ExampleOf, javascriptBody, literal, pythonBody, shellWord } from './example.ts'

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

/** One header a line; `signed` is how the language puts the signature into a text. */
const headerLines = ({ headers }: ExampleOf, indent: string, signed: string): string =>
  Object.entries(headers)
    .map(([name, value]) => `${indent}${literal(name)}: ${value.startsWith(SIGNATURE) ? signed : literal(value)},`)
    .join('\n')

export const node = (example: ExampleOf): string =>
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

export const python = (example: ExampleOf): string =>
  `import hashlib, hmac, json, urllib.request

secret = ${literal(example.secret)}
body = ${pythonBody(example)}.encode()
signature = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
request = urllib.request.Request(${literal(example.url)}, data=body, method="POST", headers={
${headerLines(example, '    ', 'f"sha256={signature}"')}
})
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`
