import type { ExampleOf } from './example.ts'

/** A text as JavaScript and Python both write it. */
const literal = JSON.stringify

export const node = ({ url, secret, body }: ExampleOf): string =>
  `const secret = ${literal(secret)}
const response = await fetch(${literal(url)}, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Authorization: \`Bearer \${secret}\` },
  body: JSON.stringify(${body}),
})
console.log(response.status, await response.text())`

export const python = ({ url, secret, body }: ExampleOf): string =>
  `import json, urllib.request

secret = ${literal(secret)}
body = json.dumps(${body}).encode()
request = urllib.request.Request(${literal(url)}, data=body, method="POST", headers={
    "Content-Type": "application/json",
    "Authorization": f"Bearer {secret}",
})
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`
