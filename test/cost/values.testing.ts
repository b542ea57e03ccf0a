import { filled } from './units.testing.ts'

/** JSON of about so many bytes, and at most so many values, each made of one kind of thing. */
type MakeValue = (bytes: number, values: number) => string

const elements =
  (one: string, each: number): MakeValue =>
  (bytes, values) => {
    const count = Math.max(1, Math.min(Math.floor(bytes / (one.length + 1)), Math.floor(values / each) - 1))
    return `[${Array(count).fill(one).join(',')}]`
  }
const members =
  (nameOf: (place: number) => string, value: string, each = 1): MakeValue =>
  (bytes, values) => {
    const size = nameOf(1_000).length + value.length + 4
    const count = Math.max(1, Math.min(Math.floor(bytes / size), Math.floor(values / each) - 1))
    return `{${Array.from({ length: count }, (_, place) => `"${nameOf(place)}":${value}`).join(',')}}`
  }
/** A text is as long as its bytes, whatever a character takes of them. */
const text =
  (unit: string): MakeValue =>
  bytes =>
    JSON.stringify(filled(unit, (bytes / Buffer.byteLength(unit)) * unit.length - 4))
const escaped =
  (sequence: string): MakeValue =>
  bytes =>
    `"${sequence.repeat(Math.max(1, Math.floor(bytes / sequence.length) - 1))}"`

/** By what stands in them: values, names, nesting, texts that are dear to look at. */
export const HOSTILE_VALUES: Readonly<Record<string, MakeValue>> = {
  'numbered members': members(String, '1'),
  'named members that are null': members(place => `k${place}`, 'null'),
  'long names': members(place => `${filled('~/', 40)}${place}`, '1'),
  'invisible names': members(place => `${filled('\u200bx', 40)}${place}`, '"x"'),
  'members of members': members(place => `a${place}`, '{"b":1}', 2),
  'empty arrays': elements('[]', 2),
  'objects of a field': elements('{"a":1}', 2),
  'objects of an id': elements('{"id":"x","signal_id":1}', 3),
  numbers: elements('1', 1),
  nulls: elements('null', 1),
  texts: elements('"x"', 1),
  ids: elements('"01a22246-7231-72bd-8e75-0c501c767f4d"', 1),
  nesting: (_, values) => '['.repeat(Math.min(40, values)) + ']'.repeat(Math.min(40, values)),
  commas: text('a, '),
  lines: text('a\n'),
  blanks: text(' '),
  'blank letters': text('\u3164'),
  invisible: text('a\u200b'),
  directions: text('\u200f a'),
  emoji: text('👍\u200d'),
  marks: text('e\u0301'),
  ligatures: text('ﷺ'),
  digits: text('9'),
  'escapes of joiners': escaped('\\u200d'),
  'escapes of pairs': escaped('\\ud83d\\ude00'),
  'sequences of a terminal': escaped('\\u001b[0'),
}
