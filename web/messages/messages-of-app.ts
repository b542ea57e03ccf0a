import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { SOURCE_FORMS } from '../../model/sources/kinds/index.ts'
import { REFUSAL_REASONS } from '../../query-api/operations/sources/refusal-meanings.ts'
import {
  ACTOR_ROLES,
  CHANNELS,
  CLAIM_KINDS,
  CLAIM_STATES,
  CLASSIFICATIONS,
  DEAD_LETTER_STATES,
  DECISION_OBJECTS,
  FAULTS,
  JOB_STATES,
  MEMBER_ROLES,
  OUTCOME_VERDICTS,
  PULL_REQUEST_STATES,
  ROADMAP_HORIZONS,
  SIGNAL_ORIGINS,
  SIGNAL_STATES,
  SOLUTION_STATES,
  STEPS,
  STRATEGY_LAYERS,
} from '../../schemas/domain/vocabulary.ts'

/** Words that the service answers and the app shows with `word`. */
const SHOWN_WORDS: readonly string[] = [
  ...ACTOR_ROLES,
  ...CHANNELS,
  ...CLAIM_KINDS,
  ...CLAIM_STATES,
  ...CLASSIFICATIONS,
  ...DEAD_LETTER_STATES,
  ...DECISION_OBJECTS.map(object => object.replaceAll('_', ' ')),
  ...FAULTS,
  ...JOB_STATES,
  ...MEMBER_ROLES,
  ...OUTCOME_VERDICTS,
  ...PULL_REQUEST_STATES,
  ...ROADMAP_HORIZONS,
  ...SIGNAL_ORIGINS,
  ...SIGNAL_STATES,
  ...SOLUTION_STATES,
  ...STEPS,
  ...STRATEGY_LAYERS,
  // What a step of the pipeline is doing.
  'working',
  'idle',
  'paused',
  'stands still',
  'stuck',
  'not served',
  // Transfers that wait.
  'uploading',
  'ready',
  'taken_back',
  // When signals happened that came in later.
  'history',
  // How a signal ended.
  'inserted',
  'occurrences',
  'dead',
  // What a candidate got.
  'refused',
  'undecided',
  // What a source reads from a request.
  'text',
  'metadata',
  'event',
  // The groups of the navigation.
  'Evidence',
  'Plan',
  'Understand',
  'Run',
  'Settings',
]

const SRC = join(import.meta.dirname, '../src')

/** Where the words of the kinds of sources are shown, and those of all other vocabularies. */
const SOURCES = 'screens/sources/kinds.ts'
const WORDS = 'language/messages.ts'

interface Message {
  /** The files that use it. */
  readonly where: readonly string[]
  /** Of one that a number decides on, how it is said of one; null of all others. */
  readonly one: string | null
}

/** A message as a call of one of the functions of `web/src/language` names it. */
interface Named {
  readonly name: string | null
  readonly one?: string | null
}

type Literals = readonly (string | null)[]

/** How each of those functions names its message; null where that cannot be read from the code. */
const NAMED_BY: Readonly<Record<string, (literals: Literals) => Named>> = {
  t: ([name = null]) => ({ name }),
  rich: ([name = null]) => ({ name }),
  statement: ([name = null]) => ({ name }),
  plural: ([, one = null, name = null]) => ({ name, one }),
  counted: ([, one = null, many = one && `${one}s`]) => ({ name: many && `{number} ${many}`, one: `{number} ${one}` }),
}

/** The name of a file is the same in every language. */
const HAS_WORD = /^(?![.~]).*\p{L}{3}/u

/** Words that a value of a message may be, written in the code: nothing translates them. */
const wordsIn = (value: ts.Node): readonly string[] => {
  if (ts.isStringLiteralLike(value)) return HAS_WORD.test(value.text) ? [value.text] : []
  if (ts.isParenthesizedExpression(value)) return wordsIn(value.expression)
  if (ts.isConditionalExpression(value)) return [value.whenTrue, value.whenFalse].flatMap(wordsIn)
  return ts.isBinaryExpression(value) ? [value.left, value.right].flatMap(wordsIn) : []
}

const valuesIn = (call: ts.CallExpression): readonly ts.Node[] =>
  call.arguments
    .filter(argument => ts.isObjectLiteralExpression(argument))
    .flatMap(({ properties }) => properties.flatMap(each => (ts.isPropertyAssignment(each) ? [each.initializer] : [])))

const literalOf = (node: ts.Node): string | null => (ts.isStringLiteralLike(node) ? node.text : null)

interface Said {
  readonly named: readonly Named[]
  /** Calls whose message is not written there. */
  readonly unread: readonly string[]
  /** Words that are put into a message as they are. */
  readonly untranslated: readonly string[]
}

/** What a file says, call by call. */
const messagesIn = (file: string): Said => {
  const source = ts.createSourceFile(file, readFileSync(join(SRC, file), 'utf8'), ts.ScriptTarget.Latest)
  const named: Named[] = []
  const unread: string[] = []
  const untranslated: string[] = []
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit)
    if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return
    const [first] = node.arguments
    // What `plural` chose is named there.
    const isChosen = node.expression.text === 'rich' && first !== undefined && ts.isCallExpression(first)
    const found = isChosen ? undefined : NAMED_BY[node.expression.text]?.(node.arguments.map(literalOf))
    if (found === undefined) return
    if (found.name === null) unread.push(`${file}: ${node.getText(source)}`)
    else named.push(found)
    untranslated.push(...valuesIn(node).flatMap(wordsIn))
  }
  visit(source)
  return { named, unread, untranslated: untranslated.map(words => `${file}: ${words}`) }
}

/** The files of the app that say something. */
const filesOfApp = (): readonly string[] =>
  globSync('**/*.{ts,tsx}', { cwd: SRC }).filter(file => !/\.test\.ts$|^language\/|^parts\/counted\.ts$/.test(file))

/** Those messages that the app stores in Decisions, and says again when they are read. */
export const statementsOfApp = (): readonly string[] => {
  const read = filesOfApp().map(file => readFileSync(join(SRC, file), 'utf8'))
  return [...new Set(read.flatMap(code => [...code.matchAll(STATEMENT)].map(([, message = '']) => message)))]
}

const STATEMENT = /\bstatement\(\s*'([^'\n]+)'/g

const wordsOfSources = (): readonly string[] => {
  const { kinds, codeHosts } = SOURCE_FORMS
  return [
    ...Object.values(kinds).flatMap(({ label, about, exampleName }) => [label, about, exampleName]),
    ...Object.values(codeHosts).map(({ label }) => label),
    ...REFUSAL_REASONS.map(reason => reason.replaceAll('_', ' ')),
  ]
}

/** Every message of the app by its name: those that its code says, and the words of the vocabularies that it shows. */
export const messagesOfApp = (): {
  readonly messages: ReadonlyMap<string, Message>
  readonly unread: readonly string[]
  readonly untranslated: readonly string[]
} => {
  const messages = new Map<string, Message>()
  const add = (name: string, one: string | null, file: string): void => {
    const before = messages.get(name)
    messages.set(name, { one: before?.one ?? one, where: [...new Set([...(before?.where ?? []), file])] })
  }
  const all = filesOfApp().map(file => {
    const found = messagesIn(file)
    for (const { name, one = null } of found.named) if (name !== null) add(name, one, file)
    return found
  })
  for (const word of wordsOfSources()) add(word, null, SOURCES)
  for (const word of SHOWN_WORDS) add(word, null, WORDS)
  return {
    messages,
    unread: all.flatMap(({ unread }) => unread),
    untranslated: all.flatMap(({ untranslated }) => untranslated),
  }
}
