import { type ExampleOf, javascriptBody, literal, pythonBody } from './example.ts'

/** Headers beside the secret's, each with its value as a text of the language. */
const others = ({ headers }: ExampleOf): (readonly [name: string, value: string])[] =>
  Object.entries(headers).filter(([name]) => name !== 'Authorization')

export const node = (example: ExampleOf): string =>
  `const secret = ${literal(example.secret)}
const response = await fetch(${literal(example.url)}, {
  method: 'POST',
  headers: { ${others(example)
    .map(([name, value]) => `'${name}': ${literal(value)}, `)
    .join('')}Authorization: \`Bearer \${secret}\` },
  body: ${javascriptBody(example)},
})
console.log(response.status, await response.text())`

export const python = (example: ExampleOf): string =>
  `import json, urllib.request

secret = ${literal(example.secret)}
body = ${pythonBody(example)}.encode()
request = urllib.request.Request(${literal(example.url)}, data=body, method="POST", headers={
${others(example)
  .map(([name, value]) => `    ${literal(name)}: ${literal(value)},\n`)
  .join('')}    "Authorization": f"Bearer {secret}",
})
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`
