import type { ExampleOf } from './example.ts'
import { curlCommand, shellWord } from './quoting.ts'

/** Signs `<webhook-id>.<webhook-timestamp>.<body>` with the secret's bytes, as the Standard Webhooks specification says. */
export const openssl = ({ url, secret, body }: ExampleOf): string => {
  const headers = [
    `'Content-Type: application/json'`,
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

export const node = ({ url, secret, body }: ExampleOf): string =>
  `// npm install standardwebhooks
import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

const body = JSON.stringify(${body})
const id = \`msg_\${randomUUID()}\`
const now = new Date()
const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(${JSON.stringify(secret)}).sign(id, now, body),
  },
  body,
})
console.log(response.status, await response.text())`

/** As the specification says, with nothing but the standard library. */
export const python = ({ url, secret, body }: ExampleOf): string =>
  `import base64, hashlib, hmac, json, time, urllib.request, uuid

secret = ${JSON.stringify(secret)}
body = json.dumps(${body}).encode()
id = f"msg_{uuid.uuid4()}"
timestamp = str(int(time.time()))
key = base64.b64decode(secret.removeprefix("whsec_"))
signed = f"{id}.{timestamp}.".encode() + body
signature = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
request = urllib.request.Request(${JSON.stringify(url)}, data=body, method="POST", headers={
    "Content-Type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": f"v1,{signature}",
})
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`
