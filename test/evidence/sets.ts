import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { AssayError } from '../../infra/runtime/errors.ts'
import { CLASSIFICATIONS } from '../../schemas/domain/vocabulary.ts'

/**
 * The plain formats of labelled sets: JSON lines, a folder for each task; `docs/operations/measure.md` is the page for
 * who brings some.
 */

const Said = { title: Type.String(), text: Type.String() }

const Report = Type.Object({
  id: Type.String({ minLength: 1 }),
  ...Said,
  created_at: Type.String(),
  /** Reports of the set that people marked as the same. */
  duplicate_of: Type.Array(Type.String()),
})
export type Report = Static<typeof Report>

export const LABELS = ['problem', 'idea', 'question'] as const
/** What is none of them, such as praise: an answer is wrong of it, whatever it is. */
const Labelled = Type.Object({ ...Said, label: Type.Enum([...LABELS, 'unclassified']) })
export type Labelled = Static<typeof Labelled>

const Personal = Type.Object({
  text: Type.String(),
  /** In UTF-16 units, `end` not included; types as our placeholders where there is one. */
  spans: Type.Array(
    Type.Object({ start: Type.Integer({ minimum: 0 }), end: Type.Integer({ minimum: 0 }), type: Type.String() }),
  ),
})
export type Personal = Static<typeof Personal>

const Pair = Type.Object({ left: Type.Object(Said), right: Type.Object(Said), same: Type.Boolean() })
export type Pair = Static<typeof Pair>

/** What somebody types, and the report that it wants: its id in the file of the same name in `duplicates/`. */
const Query = Type.Object({ query: Type.String({ minLength: 1 }), language: Type.String(), wanted: Type.String() })
export type Query = Static<typeof Query>

const Slug = Type.String({ pattern: '^[a-z]+(-[a-z]+)*$' })
const Language = Type.String({ pattern: '^[a-z]{2}$' })

export const ThemedLine = Type.Object({
  id: Type.String({ minLength: 1 }),
  text: Type.String({ minLength: 1 }),
  language: Language,
  /** Two where the message has two needs, null for noise. */
  theme: Type.Union([Slug, Type.Array(Slug, { minItems: 2, maxItems: 2, uniqueItems: true }), Type.Null()]),
  kind: Type.Enum([...CLASSIFICATIONS]),
})
export type ThemedLine = Static<typeof ThemedLine>

/** A node as its team writes it, before any message; `examples` of its `language`, one and one more. */
const AnchoringNode = Type.Object({
  id: Slug,
  name: Type.String({ minLength: 1 }),
  description: Type.String({ minLength: 1 }),
  language: Language,
  examples: Type.Tuple([Type.String({ minLength: 1 }), Type.String({ minLength: 1 })]),
})
export type AnchoringNode = Static<typeof AnchoringNode>
/** What a customer writes, and the node that it belongs to; null where it belongs to none. */
const AnchoringMessage = Type.Object({
  id: Type.String({ minLength: 1 }),
  text: Type.String({ minLength: 1 }),
  language: Language,
  node: Type.Union([Slug, Type.Null()]),
})
export type AnchoringMessage = Static<typeof AnchoringMessage>
const AnchoringLine = Type.Union([AnchoringNode, AnchoringMessage])
export type AnchoringLine = Static<typeof AnchoringLine>

/** The shape of a line, by the folder that its file lies in. */
const LINES = {
  duplicates: Report,
  kinds: Labelled,
  'personal-data': Personal,
  pairs: Pair,
  searches: Query,
  themes: ThemedLine,
  anchoring: AnchoringLine,
}

export type Task = keyof typeof LINES
export const TASKS: readonly Task[] = [
  'duplicates',
  'pairs',
  'searches',
  'themes',
  'anchoring',
  'kinds',
  'personal-data',
]

export interface LabelledSet<Line> {
  readonly name: string
  readonly lines: readonly Line[]
}

/** Throws with the file and the line that is not as it should be. */
export const parseLines = <Schema extends TSchema>(schema: Schema, file: string, content: string): Static<Schema>[] =>
  content
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => {
      const [parsed, problem] = parse(line)
      if (problem === null && Value.Check(schema, parsed)) return parsed
      const [wrong] = problem === null ? Value.Errors(schema, parsed) : []
      const said = wrong === undefined ? problem : `${wrong.instancePath || 'the line'} ${wrong.message}`
      throw new AssayError(
        'invalid_configuration',
        `${file}, line ${number}: ${said}. The formats are in docs/operations/measure.md.`,
      )
    })

const parse = (line: string): readonly [unknown, string | null] => {
  try {
    return [JSON.parse(line), null]
  } catch (error) {
    return [null, error instanceof Error ? error.message : 'no JSON']
  }
}

/** Throws for a folder in which no task has one: nothing would be measured, and nobody would know why. */
export const assertHasSets = (folder: string, tasks: readonly Task[]): void => {
  if (tasks.some(task => existsSync(join(folder, task)))) return
  throw new AssayError(
    'invalid_configuration',
    `There is no ${tasks.map(task => join(folder, task)).join(', ')}. Labelled sets lie in these folders.`,
  )
}

/**
 * The sets of a task in a folder, by name; none where the folder has none. Rejects with the file and the line that is
 * not as it should be.
 */
export const readSets = async <Of extends Task>(
  folder: string,
  task: Of,
): Promise<readonly LabelledSet<Static<(typeof LINES)[Of]>>[]> => {
  const inside = join(folder, task)
  if (!existsSync(inside)) return []
  const files = (await readdir(inside)).filter(file => file.endsWith('.jsonl')).toSorted()
  return Promise.all(
    files.map(async file => ({
      name: file.replace(/\.jsonl$/, ''),
      lines: parseLines(LINES[task], join(task, file), await readFile(join(inside, file), 'utf8')),
    })),
  )
}

/** What a sender would send of it: the title above the text. */
export const said = ({ title, text }: { readonly title: string; readonly text: string }): string =>
  [title, text].filter(part => part.trim() !== '').join('\n\n')
