import type { Sent } from './receivers.testing.ts'
import { filled } from './units.testing.ts'

/** Bodies of about so many bytes, each of one kind of thing: values, keys, nesting, escapes, parts, tags, lines. */
type Make<Body> = (bytes: number) => Body

const list = (value: string, bytes: number): string =>
  Array(Math.max(1, Math.floor(bytes / (value.length + 1))))
    .fill(value)
    .join(',')
const members = (bytes: number): string =>
  Array.from({ length: Math.floor(bytes / 13) }, (_, place) => `"k${1e6 + place}":1`).join(',')
const nested = (bytes: number): string => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2)

/** JSON values of a size. */
const VALUES: Readonly<Record<string, Make<string>>> = {
  'empty arrays': bytes => `[${list('[]', bytes)}]`,
  objects: bytes => `[${list('{"a":1}', bytes)}]`,
  numbers: bytes => `[${list('1', bytes)}]`,
  'different keys': bytes => `{${members(bytes)}}`,
  nesting: nested,
  escapes: bytes => `"${filled('\\u0041', bytes - 6).replace(/\\u?\d*$/, '')}"`,
  text: bytes => `"${filled('a, ', bytes)}"`,
}

const REPOSITORY = '"ref":"refs/heads/main","repository":{"full_name":"a/b"},"sender":{"login":"a"}'
const push = { 'x-github-event': 'push', 'x-github-delivery': '1', 'content-type': 'application/json' }
const form = { ...push, 'content-type': 'application/x-www-form-urlencoded' }
const EVENT = encodeURIComponent(`{${REPOSITORY},"commits":[{"id":"1","message":"It works"}]}`)

const ofValue = (what: string, value: Make<string>): Readonly<Record<string, Make<Sent>>> => ({
  [`a signal with ${what}`]: bytes => ({ receiver: 'signal', body: `{"text":"x","other":${value(bytes * 0.7)}}` }),
  [`a signal whose metadata is ${what}`]: bytes => ({
    receiver: 'signal',
    body: `{"text":"x","metadata":{"a":${value(bytes * 0.7)}}}`,
  }),
  [`a connection's event with ${what}`]: bytes => ({
    receiver: 'connection',
    headers: { 'webhook-id': '1' },
    settings: { mapping: { text: '/data/text', metadata: '/data' } },
    body: `{"type":"a","timestamp":"2026-01-01","data":{"text":"x","other":${value(bytes * 0.9)}}}`,
  }),
  [`a push with ${what}`]: bytes => ({
    receiver: 'code_host',
    headers: push,
    body: `{${REPOSITORY},"commits":[{"id":"1","message":"It works"}],"other":${value(bytes * 20)}}`,
  }),
  [`a push of commits that are ${what}`]: bytes => ({
    receiver: 'code_host',
    headers: push,
    body: `{${REPOSITORY},"commits":${value(bytes * 20)}}`,
  }),
})

/** Bodies of every receiver; their size is said for a signal's, at most 1 MiB, and a code host's is twenty times it. */
export const BODIES: Readonly<Record<string, Make<Sent>>> = {
  ...Object.assign({}, ...Object.entries(VALUES).map(([what, value]) => ofValue(what, value))),
  'a form of spaces': bytes => ({
    receiver: 'code_host',
    headers: form,
    body: `payload=${EVENT}&a=${filled('+', bytes * 20)}`,
  }),
  'a form of fields': bytes => ({
    receiver: 'code_host',
    headers: form,
    body: `payload=${EVENT}${filled('&a=b', bytes * 20)}`,
  }),
  'a form whose payload is spaces': bytes => ({
    receiver: 'code_host',
    headers: form,
    body: `payload=${EVENT}${filled('+', bytes * 20)}`,
  }),
  'a metric with numbers': bytes => ({
    receiver: 'metric',
    body: `{"value":1,"other":[${list('1', Math.min(bytes, 15_000))}]}`,
  }),
}

const HEAD = 'From: A <a@example.com>\r\nSubject: Hello\r\nMessage-ID: <1@example.com>\r\n'
const mail = (type: string, unit: string): Make<string> => {
  return bytes => `${HEAD}Content-Type: ${type}; charset=utf-8\r\n\r\n${filled(unit, bytes)}`
}
const mixed = (part: string, unit: string): Make<string> => {
  const beside = '--b\r\nContent-Type: text/html\r\n\r\n<p>a</p>\r\n'
  const head = `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${beside}--b\r\n${part}\r\n\r\n`
  return bytes => `${head}${filled(unit, bytes)}\r\n--b--`
}
const header = (name: string, unit: string): Make<string> => {
  return bytes => `From: a@example.com\r\n${name}: ${filled(unit, Math.min(bytes, 250_000))}\r\n\r\nhello`
}

const LINES = [
  'a\r\n',
  '\r\n',
  '> a\r\n',
  'a:\r\n',
  'From: a\r\n',
  'To: b,\r\n',
  'Von: \r\n',
  '--\r\n',
  '__________\r\n',
]
const MORE_LINES = [
  'On 12:30 2024 a@b wrote:\r\n',
  '-----Original Message----- \r\n',
  'Subject: a\r\nDate: b\r\n',
  '*a*: b\r\n',
]
const TAGS = [
  '<p>a</p>',
  '<b>',
  '<div>',
  '<ul><li>a',
  '<table><tr><td>',
  '<blockquote>a',
  '&amp;',
  '<',
  '<!-- ',
  '<br>',
]

/** Mails of about so many bytes. */
export const MAILS: Readonly<Record<string, Make<string>>> = {
  ...Object.fromEntries([...LINES, ...MORE_LINES].map(line => [`lines of ${line.trim()}`, mail('text/plain', line)])),
  ...Object.fromEntries(TAGS.map(tag => [`tags of ${tag}`, mail('text/html', tag)])),
  words: mail('text/plain', 'hello world 123 '),
  'text beside HTML': mixed('Content-Type: text/plain', 'a < b & c\r\n'),
  'an attachment': mixed(
    'Content-Type: image/png\r\nContent-Disposition: attachment; filename=a.png\r\nContent-Transfer-Encoding: base64',
    `${'YWFh'.repeat(19)}\r\n`,
  ),
  'a mail inside': mixed('Content-Type: message/rfc822\r\nContent-Disposition: attachment', `${HEAD}\r\nhello a\r\n`),
  parts: mixed('Content-Type: text/plain', '--b\r\n\r\na\r\n'),
  'quoted-printable': mixed('Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable', '=41'),
  'groups of senders': header('Sender', 'a:'),
  'words of a subject': header('Subject', '=?utf-8?q?a?= '),
  'folded lines': header('X-A', 'a\r\n '),
  references: header('References', '<a@b> '),
}
