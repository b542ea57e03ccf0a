import { curlCommand, type ExampleOf, javascriptBody, literal, pythonBody, shellWord } from './example.ts'

/** Headers beside those of the proof. */
const others = ({ headers }: ExampleOf): (readonly [name: string, value: string])[] =>
  Object.entries(headers).filter(([name]) => !name.startsWith('webhook-'))

/** Signs `<webhook-id>.<webhook-timestamp>.<body>` with the secret's bytes, as the Standard Webhooks specification says. */
export const openssl = (example: ExampleOf): string => {
  const { url, secret, body } = example
  const headers = [
    ...others(example).map(([name, value]) => shellWord(`${name}: ${value}`)),
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

export const node = (example: ExampleOf): string =>
  `// npm install standardwebhooks
import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

const body = ${javascriptBody(example)}
const id = \`msg_\${randomUUID()}\`
const now = new Date()
const response = await fetch(${literal(example.url)}, {
  method: 'POST',
  headers: {
${others(example)
  .map(([name, value]) => `    '${name}': ${literal(value)},\n`)
  .join('')}    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(${literal(example.secret)}).sign(id, now, body),
  },
  body,
})
console.log(response.status, await response.text())`

/** As the specification says, with nothing but the standard library. */
export const python = (example: ExampleOf): string =>
  `import base64, hashlib, hmac, json, time, urllib.request, uuid

secret = ${literal(example.secret)}
body = ${pythonBody(example)}.encode()
id = f"msg_{uuid.uuid4()}"
timestamp = str(int(time.time()))
key = base64.b64decode(secret.removeprefix("whsec_"))
signed = f"{id}.{timestamp}.".encode() + body
signature = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
request = urllib.request.Request(${literal(example.url)}, data=body, method="POST", headers={
${others(example)
  .map(([name, value]) => `    ${literal(name)}: ${literal(value)},\n`)
  .join('')}    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": f"v1,{signature}",
})
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`
