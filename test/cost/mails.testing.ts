import { READ_PROPERTIES } from '../../ingest/receivers/email/reading/properties.ts'
import { filled } from './units.testing.ts'

/** Mails of about so many bytes, each made of one thing again and again where the reader interprets it. */
type Mails = Readonly<Record<string, (bytes: number) => string>>

const HEAD = 'From: A <a@example.com>\r\nSubject: Hello\r\nMessage-ID: <1@example.com>\r\n'
const html = (text: string): string => `${HEAD}Content-Type: text/html; charset=utf-8\r\n\r\n${text}`

/** Each of these at each place. */
const at = (
  places: Readonly<Record<string, (filling: string) => string>>,
  units: readonly string[],
  largest = Number.POSITIVE_INFINITY,
): Mails =>
  Object.fromEntries(
    Object.entries(places).flatMap(([place, make]) =>
      units.map(unit => [
        `${place} of ${JSON.stringify(unit)}`,
        (bytes: number) => make(filled(unit, Math.min(bytes, largest))),
      ]),
    ),
  )

/** A place that is given each different word once. */
const different = (unit: (place: number) => string, characters: number): string => {
  const parts: string[] = []
  for (let [place, length] = [0, 0]; length < characters; place += 1) {
    const part = unit(place)
    parts.push(part)
    length += part.length
  }
  return parts.join('')
}

const VALUE_UNITS = [
  ...['1', '1.', '.1', '0', '0 ', '-1', '1px ', '1px/', 'x', 'x-', 'a', 'a ', ' ', ',', '/', '%', '#f', '#'],
  ...[
    'rgb(',
    'rgb( rgb( ',
    'rgb(1,1,1)',
    'rgb(1 ',
    'hsl(',
    'red ',
    'url(',
    'scale(',
    'scale(0',
    'scale(0 ',
    'translate',
  ],
  ...[
    'translate(',
    'translate( -1',
    'rect(',
    'inset(',
    '!important',
    '! important',
    '\\61 ',
    '\\',
    '/*',
    '/**/',
    "'",
    '(',
  ],
]
const styles: Mails = at(
  Object.fromEntries(
    [...READ_PROPERTIES].flatMap(property => [
      [`a style's ${property}`, (filling: string) => html(`<p style="${property}:${filling}">x</p>`)],
      [`a sheet's ${property}`, (filling: string) => html(`<style>p{${property}:${filling}}</style><p>x</p><p>y</p>`)],
    ]),
  ),
  VALUE_UNITS,
)

const SELECTOR_UNITS = [
  ...[
    '.a',
    '#a',
    'a',
    'a ',
    'a>',
    '>',
    '*',
    '* ',
    ',',
    'a,',
    '.a,',
    ':',
    ':not(',
    '[a]',
    '[a="',
    '.a .a ',
    '-',
    '.',
    '..a',
  ],
  ...[
    '@media ',
    '@media screen{',
    '@media screen ',
    '@import url(a);',
    '{',
    '}',
    '{}',
    ';',
    '/*',
    '\\61 ',
    '.\\61 ',
    '"',
  ],
]
const sheets: Mails = at(
  {
    'a selector': filling => html(`<style>${filling}{color:red}</style><p class="a">x</p>`),
    'a selector behind another': filling => html(`<style>.b ${filling}{color:red}</style><p class="a b">x</p>`),
    'a sheet': filling => html(`<style>${filling}</style><p class="a">x</p>`),
    rules: filling => html(`<style>${filling.replaceAll('a', 'a{color:red}')}</style><p class="a">x</p>`),
    'classes of an element': filling =>
      html(`<style>.a${filling}{color:red}</style><p class="${filling.replace(/\W/g, ' ')}">x</p>`),
  },
  SELECTOR_UNITS,
)

const RULES = (characters: number, selector: (place: number) => string, body = 'color:red'): string =>
  different(place => `${selector(place)}{${body}}`, characters)
const ALL_PROPERTIES = [...READ_PROPERTIES].map(property => `${property}:1px red`).join(';')
const classes = (count: number): string => Array.from({ length: count }, (_, place) => `c${place}`).join(' ')
const four = (place: number): string => [1, 7, 11, 13].map(step => `.c${(place * step + step) % 16}`).join('')

/** What costs by two things at once: rules and elements, classes and tokens. */
const products: Mails = {
  'rules that all match': bytes => html(`<style>${RULES(bytes / 2, () => 'p')}</style>${filled('<p>', bytes / 2)}`),
  'rules of every property that all match': bytes =>
    html(`<style>${RULES(bytes / 2, () => 'p', ALL_PROPERTIES)}</style>${filled('<p>', bytes / 2)}`),
  'rules of different classes, on elements that have all': bytes =>
    html(`<style>${RULES(bytes / 4, four)}</style>${filled(`<b class="${classes(16)}">`, (3 * bytes) / 4)}`),
  'rules inside of rules, on nested elements': bytes => {
    const nested = (place: number) => `${four(place)} ${four(place + 1)} ${four(place + 2)} ${four(place + 3)}`
    return html(`<style>${RULES(bytes / 4, nested)}</style>${filled(`<b class="${classes(16)}">`, (3 * bytes) / 4)}`)
  },
  'different classes in one element and one selector': bytes => {
    const names = different(place => ` c${place}`, bytes / 2)
    return html(`<style>${names.replaceAll(' ', '.')}{color:red}</style><p class="${names}">x`)
  },
  'declarations of one rule': bytes =>
    html(`<style>p{${different(place => `a${place}:b;`, bytes / 2)}}</style>${filled('<p>', bytes / 2)}`),
  'styles of every property': bytes => html(filled(`<b style="${ALL_PROPERTIES}">x`, bytes)),
  'different attributes': bytes => html(`<p ${different(place => `a${place}=b `, bytes)}>x`),
  'elements with attributes': bytes => html(filled('<b a=1 b=2 c=3 d=4 e=5 f=6 g=7 h=8>x', bytes)),
  'elements of different names': bytes => html(different(place => `<x${place}>`, bytes)),
}

const TAGS = ['a', 'b', 'p', 'div', 'span', 'br', 'hr', 'img', 'table', 'tr', 'td', 'th', 'ul', 'ol', 'li', 'pre']
const MORE_TAGS = ['blockquote', 'h1', 'style', 'script', 'title', 'template', 'svg', 'math', 'object', 'font', 'body']
const REST_OF_TAGS = [
  'select',
  'option',
  'button',
  'form',
  'textarea',
  'head',
  'html',
  'iframe',
  'center',
  'section',
  'dl',
]
const CONSTRUCTS = [
  ...[...TAGS, ...MORE_TAGS, ...REST_OF_TAGS].flatMap(tag => [
    `<${tag}>`,
    `<${tag}>a</${tag}>`,
    `</${tag}>`,
    `<${tag}/>`,
  ]),
  ...[
    '<',
    '</',
    '<!',
    '<!--',
    '<!-->',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?',
    '<!doctype ',
    '<a b',
    '<a b=',
    '<a b="',
    "<a b='",
  ],
  ...[
    '&',
    '&a',
    '&amp',
    '&amp;',
    '&#',
    '&#1',
    '&#x',
    '&#x1f600;',
    '&nbsp;',
    '&lt;',
    '&eacute',
    '&notin',
    '\u00ad',
    '\u200b',
  ],
  ...[
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\u00a0',
    '\u2028',
    ' a',
    'a\n',
    '=\r\n',
    '<ol><li>',
    '<td colspan=1000>',
    '<table><tr><td>',
  ],
  ...[
    '<td rowspan=9>',
    '<ol start=9>',
    '<blockquote><p>',
    '<p class=gmail_attr>',
    '<div class="gmail_signature">',
    '<p id=Signature>',
  ],
]
const elements: Mails = at(
  {
    'a mail': filling => html(filling),
    'an attribute': filling => html(`<p title="${filling.replaceAll('"', "'")}">x</p>`),
  },
  CONSTRUCTS,
)

const HEADERS = [
  ...['From', 'Sender', 'Reply-To', 'To', 'Cc', 'Subject', 'Date', 'Message-ID', 'References', 'In-Reply-To', 'X-A'],
  ...['Return-Path', 'Precedence', 'Auto-Submitted', 'Delivered-To', 'List-Unsubscribe', 'DKIM-Signature', 'Received'],
  ...['Content-Type', 'Content-Disposition', 'Content-Transfer-Encoding', 'Content-ID', 'MIME-Version'],
]
const HEADER_UNITS = [
  ...[
    'a',
    ' ',
    '\t',
    ',',
    ';',
    ':',
    '<',
    '>',
    '<a@b>',
    'a@b, ',
    'a <a@b>, ',
    '(',
    ')',
    '(a',
    '"',
    '"a',
    '\\',
    '\\"',
    '@',
    '[',
    '1',
  ],
  ...[
    '=?',
    '=?utf-8?q?a?= ',
    '=?utf-8?q?a?=',
    '=?utf-8?b?YQ==?= ',
    '=?utf-8?q?',
    '=?iso-2022-jp?b?GyRC?= ',
    '=?a*b?q?=41?= ',
    '?=',
  ],
  ...[
    'a=b; ',
    'a="b"; ',
    'a*0=b; ',
    "a*0*=utf-8''b; ",
    "a*=utf-8''%41; ",
    '%41',
    "'",
    "''",
    'text/',
    'name=',
    '; boundary="',
  ],
  ...[
    '\r\n ',
    '\r\n\t',
    'a\r\n ',
    'Re: ',
    'Fwd[1]: ',
    'a:',
    'a:b;',
    'g: a@b; ',
    '\u00e9',
    '\ud83d\ude00',
    '4 Mar 2025 ',
    '10:',
    '+01',
  ],
]
const headers: Mails = at(
  Object.fromEntries(
    HEADERS.map(name => [
      `a header ${name}`,
      (filling: string) => `From: a@example.com\r\nSubject: s\r\n${name}: ${filling}\r\n\r\nhello`,
    ]),
  ),
  HEADER_UNITS,
  250_000,
)
const manyHeaders: Mails = at(
  {
    headers: filling => `From: a@example.com\r\n${filling}\r\nhello`,
    'headers of a part': filling =>
      `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${filling}\r\nhello\r\n--b--`,
  },
  [
    ...HEADERS.map(name => `${name}: a\r\n`),
    'a\r\n',
    ':\r\n',
    ' \r\n',
    'a:\r\n b\r\n',
    'Content-Type: a; name="b"\r\n',
  ],
  250_000,
)

const FIELDS = [
  ...['Content-Type: text/plain', 'Content-Type: text/html', 'Content-Type: text/plain; format=flowed; delsp=yes'],
  ...['Content-Type: text/calendar', 'Content-Type: text/rfc822-headers', 'Content-Type: message/delivery-status'],
  ...[
    'Content-Type: message/rfc822',
    'Content-Type: application/octet-stream',
    'Content-Type: multipart/alternative; boundary=c',
  ],
  ...[
    'utf-7',
    'utf-16',
    'utf-32',
    'iso-2022-jp',
    'iso-2022-kr',
    'shift_jis',
    'euc-jp',
    'euc-kr',
    'gb18030',
    'big5',
    'hz-gb-2312',
  ].map(charset => `Content-Type: text/plain; charset=${charset}`),
  ...['base64', 'quoted-printable', 'x-uuencode', '8bit', 'binary', 'a'].map(
    encoding => `Content-Transfer-Encoding: ${encoding}`,
  ),
]
const BODY_UNITS = [
  ...[
    'a',
    ' ',
    ' \r\n',
    'a \r\n',
    '=',
    '=\r\n',
    '=4',
    '=41',
    '= \r\n',
    'YWFh',
    'YWFh\r\n',
    'Y',
    '\n',
    '\r',
    '\r\n',
    '\0',
    '--b',
    '--b\r\n',
  ],
  ...[
    '--b\r\n\r\n',
    '--c\r\n',
    '--c\r\n\r\n',
    '--',
    '-- \r\n',
    '+AGE-',
    '+',
    '~{',
    '~}',
    '\u001b$B',
    '\u001b(B',
    '\u001b',
    '\u00e9',
    '\u4e2d',
    '\ud83d',
  ],
  ...[
    'begin 644 a\r\n',
    'end\r\n',
    '<p>',
    '<a href="',
    'http://a.b/ ',
    'a@b.c ',
    'BEGIN:VEVENT\r\n',
    'Content-Type: text/html\r\n\r\n',
  ],
]
const parts: Mails = at(
  Object.fromEntries(
    FIELDS.flatMap(field => [
      [`a mail with ${field},`, (filling: string) => `${HEAD}${field}\r\n\r\n${filling}`],
      [
        `a part with ${field},`,
        (filling: string) =>
          `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>a</p>\r\n--b\r\n${field}\r\n\r\n${filling}\r\n--b--`,
      ],
    ]),
  ),
  BODY_UNITS,
)

/** A row of one thing, with something else at its end. */
const rows: Mails = Object.fromEntries(
  FIELDS.flatMap(field =>
    [' ', '\t', '=', 'a', '<', '&', '-'].flatMap(unit =>
      ['', 'Content-Disposition: attachment\r\n'].map(disposition => [
        `a row of ${JSON.stringify(unit)} in ${field} ${disposition.trim()}`,
        (bytes: number) => `${HEAD}${disposition}${field}\r\n\r\n${filled(unit, bytes)}x\r\n`,
      ]),
    ),
  ),
)

const nested =
  (field: string) =>
  (bytes: number): string => {
    const depth = Math.ceil(bytes / (field.length + 20))
    return `${HEAD}${Array.from({ length: depth }, (_, level) => `${field.replaceAll('#', String(level))}\r\n\r\n`).join('')}x`
  }
const nests: Mails = {
  'multiparts inside of each other': nested('Content-Type: multipart/mixed; boundary=b#\r\n\r\n--b#'),
  'multiparts of one boundary': nested('Content-Type: multipart/mixed; boundary=b\r\n\r\n--b'),
  'mails inside of each other': nested('Content-Type: message/rfc822'),
  'a long boundary': bytes => {
    const boundary = filled('b', bytes / 3)
    return `${HEAD}Content-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n--${boundary}\r\n\r\na\r\n--${boundary}--`
  },
}

const LINE_UNITS = [
  ...[
    '> ',
    '>',
    ' >',
    '>> a\r\n',
    '> > \r\n',
    '-',
    '_',
    '*',
    '=',
    '- ',
    '-----Original Message-----',
    '----- Forwarded message -----',
  ],
  ...[
    'From: a@b ',
    'From: a\r\nDate: b\r\nSubject: c\r\n',
    'Von: ',
    '*From:* ',
    'On 4 Mar 2025 at 10:12, a wrote:',
    'schrieb ',
    'skrev:',
  ],
  ...[
    'a <a@b>: ',
    '<a@b',
    '1 <',
    '10:12 ',
    '2025 ',
    '写道：',
    'mailto:',
    '[mailto:a@b] ',
    '-- \r\n',
    'Sent from my ',
    'Best regards,\r\n',
  ],
  ...[
    'On ',
    'Le ',
    'Am ',
    'El ',
    'Il ',
    '\r\nOn a',
    'wrote:\r\n',
    '____\r\n',
    '#',
    '\u00a0',
    '\u3000',
    '\t',
    '\u2028',
    'a. ',
    ', ',
    ': ',
  ],
]
const texts: Mails = at(
  {
    'a text': filling => `${HEAD}\r\n${filling}`,
    'lines of a text': filling => `${HEAD}\r\n${filling.replace(/.{180}/g, '$&\r\n')}`,
    'a text behind a quote': filling => `${HEAD}\r\nhello\r\n> quoted\r\n${filling}`,
    'a forward': filling =>
      `From: a@b\r\nSubject: Fwd: s\r\n\r\n---------- Forwarded message ---------\r\nFrom: ${filling}\r\nDate: 4 Mar 2025\r\nSubject: a\r\n\r\nb`,
    'the date of a forward': filling =>
      `From: a@b\r\nSubject: Fwd: s\r\n\r\n---------- Forwarded message ---------\r\nFrom: a\r\nDate: ${filling}\r\nSubject: a\r\n\r\nb`,
  },
  LINE_UNITS,
)

export const EVERY_MAIL: Mails = {
  ...styles,
  ...sheets,
  ...products,
  ...elements,
  ...headers,
  ...manyHeaders,
  ...parts,
  ...rows,
  ...nests,
  ...texts,
}
