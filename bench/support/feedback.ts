const SYLLABLES = [
  'ba',
  'cor',
  'del',
  'fin',
  'gra',
  'hol',
  'in',
  'jun',
  'kel',
  'lor',
  'mar',
  'nov',
  'os',
  'per',
  'qui',
  'ras',
  'sten',
  'tor',
  'ul',
  'ven',
  'wes',
  'yar',
  'zen',
  'cha',
  'dri',
  'flo',
]

/**
 * The same sequence every time: what is measured must not depend on luck. Park and Miller's generator, up to 2^31 - 2.
 */
export const numbers = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state * 48_271) % MODULUS
    return state
  }
}

/** Above every number of the sequence. */
export const MODULUS = 2_147_483_647

/**
 * A place among `count`, from 0: the n-th comes 1/n as often as the first (Zipf). The inverse of the cumulated 1/n,
 * whose sum grows as the logarithm.
 */
export const skewedPlace = (next: () => number, count: number): number => Math.floor(count ** (next() / MODULUS)) - 1

/** A word of two to four syllables. */
export const madeUpWord = (next: () => number): string =>
  Array.from({ length: 2 + (next() % 3) }, () => SYLLABLES[next() % SYLLABLES.length] ?? '').join('')

/**
 * Feedback to measure with: what it says, in made-up words around real ones, so that every step has the work that real
 * texts give it.
 */

const VOCABULARY = 12_000
const FUNCTION_WORDS =
  'the a and to of in for is on that with it as was at by from we our this have not are be you when after before which then there they'.split(
    ' ',
  )
const AREAS =
  'export invoice login dashboard search calendar import report billing permission notification attachment comment timeline filter backup'.split(
    ' ',
  )

const PROBLEMS = [
  'The {area} page crashes with an error whenever we open {name}.',
  'Since the last update the {area} is broken and {name} fails every time.',
  'It does not work: the {area} shows an error about {name} and loses our changes.',
]
const IDEAS = [
  'It would be great if the {area} could also handle {name}.',
  'Please add an option to the {area} so that we can choose {name}.',
  'I would love to see support for {name} in the {area}.',
]
const QUESTIONS = ['How can I change {name} in the {area}?', 'Is there a way to find {name} in the {area}?']
const REMARKS = ['We looked at the {area} and {name} this morning.', 'Notes about {name} from the {area} meeting.']

/** Half are problems, a quarter ideas, the rest questions and remarks. */
const OPENINGS = [...PROBLEMS, ...PROBLEMS, ...IDEAS, QUESTIONS[0], REMARKS[0], ...PROBLEMS.slice(0, 1)].filter(
  opening => opening !== undefined,
)
const WORDS_BEHIND = 70

/**
 * Texts of about 600 characters. Words come as they do in language: the n-th most common one about 1/n as often as the
 * first (Zipf).
 */
export const createFeedback = (seed: number): (() => string) => {
  const words = vocabulary()
  const next = numbers(seed)
  const common = () => words[skewedPlace(next, VOCABULARY)] ?? ''
  const functionWord = () => FUNCTION_WORDS[next() % FUNCTION_WORDS.length] ?? ''
  const one = (list: readonly string[]) => list[next() % list.length] ?? ''
  return () => {
    const opening = one(OPENINGS).replace('{area}', one(AREAS)).replace('{name}', `${common()} ${common()}`)
    const behind = Array.from({ length: WORDS_BEHIND }, (_, place) => (place % 3 === 0 ? functionWord() : common()))
    return `${opening} ${behind.join(' ')}.`
  }
}

const vocabulary = (): readonly string[] => {
  const next = numbers(7)
  return Array.from({ length: VOCABULARY }, () => madeUpWord(next))
}
