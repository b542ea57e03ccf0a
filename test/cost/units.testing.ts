/**
 * What the rules of the steps react to, a fragment each: parts of addresses and numbers, words that introduce them,
 * what hides them (encodings, scripts, widths), marks that combine, signs of markup and mail. Inputs are made of one
 * repeated, of two in turn, and of one repeated with another after it.
 */
const UNITS: readonly string[] = [
  ...[
    '@',
    'a@',
    'a.',
    'a@a.de ',
    '%40',
    '"',
    '"a"@',
    'a@a.',
    ' at ',
    'a at b dot ',
    ' dot com',
    'mail ',
    '[at]',
    '[.]',
  ],
  ...['1', '1 ', '1-', '1.', '1:', '(1', '1)(', '1 (1) ', '1 / ', '0/', '+1', '+1 2 ', '00 49 ', '0049 30 ', '(0) '],
  ...['tel ', 'call ', 'phone: ', 'unter ', 'order ', 'ssn ', 'my number ', 'id ', 'tel 0301234567 ', '电话123456789 '],
  ...['call 030 1234567, ', '(212) 555-0123 ', '+49 30 ', '____________\na-tel ', '4111 ', '41111111111111111 '],
  ...['4242 4242 4242 4242 ', '123-45-6789 ', '12345678901 ', '123.456.789-00 ', '12345678A ', 'A1', 'AA11', '756.'],
  ...['1.1.1.1 ', '192.168.1.1, ', 'version 1.2.3.4 ', 'v ', ':', 'f:', '::1 ', '2001:db8:', 'fe80::1 ', '.1:'],
  ...[
    '2024-01-01T',
    '01.01.2024',
    '00000000-',
    '978-',
    'YWFh',
    'YWJjQGRlLmZyIDEyMw== ',
    'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA ',
  ],
  ...[
    '%25',
    '%2540',
    '+1+',
    '=1+11',
    '&#64;',
    '&nbsp;',
    '\\u0040',
    '\\n',
    '%C3%A4',
    '①',
    '⁴',
    'four ',
    'four two four two four two four two ',
    '四二',
    '4242\n',
    'card 4242 4242\n> 4242 4242 ',
    '12345678=\n',
    'a@\n',
    'DE89 3704 0044\n0532 ',
    'फोन ९८७६५४३२१० ',
    'паспорт 4508 123456 ',
    'wa.me/491701234568 ',
    'eEB5LmRl/',
    '[EMAIL]',
    '[',
    '\u200b',
    '1\u200b',
    '１',
    '٤',
  ],
  ...[
    '\u0301',
    '\u0301\u0327',
    'e\u0301',
    'ﷺ',
    '漢',
    '가',
    '👍',
    '\ud800',
    'ß',
    'x',
    'word ',
    '\n',
    '  ',
    '> ',
    '<b>',
    '?',
    '-',
  ],
]

/** The same order at every run. */
const sampled = (count: number, from: readonly string[]): readonly string[] => {
  const step = Math.max(1, Math.floor(from.length / count))
  return from.filter((_, place) => place % step === 0).slice(0, count)
}

/** Every unit, and so many of each way that two are put together. */
export const patterns = (pairs: number): readonly string[] => {
  const two = UNITS.flatMap(one => UNITS.filter(other => other !== one).map(other => [one, other] as const))
  const inTurn = two.map(([one, other]) => one + other)
  const inRuns = two.map(([one, other]) => one.repeat(20) + other)
  return [...UNITS, ...sampled(pairs, inTurn), ...sampled(pairs, inRuns)]
}

/** A pattern again and again, in so many characters. */
export const filled = (pattern: string, characters: number): string =>
  pattern.repeat(Math.ceil(characters / pattern.length)).slice(0, Math.floor(characters))

let seed = 1
/** Words that no text had before, in so many characters. */
export const differentWords = (characters: number): string => {
  const words = Array.from({ length: Math.ceil(characters / 7) }, () => {
    // A generator of Park and Miller: the same words at every run.
    seed = (seed * 48_271) % 2_147_483_647
    return seed.toString(36).padStart(6, 'x')
  })
  return words.join(' ').slice(0, characters)
}
