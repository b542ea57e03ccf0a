import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { SOURCE_KINDS, STEPS } from '../../schemas/domain/vocabulary.ts'
import type { Copy } from './copy.ts'

const quoted = (words: readonly string[]): string => words.map(word => `'${word}'`).join(', ')

const addMigration = async (copy: Copy, name: string, sql: string): Promise<void> => {
  const numbers = (await readdir(join(copy.directory, 'schemas/postgres'))).map(file => Number(file.slice(0, 4)))
  const number = String(Math.max(...numbers) + 1).padStart(4, '0')
  await copy.add(`schemas/postgres/${number}_${name}.sql`, sql)
}

/** A step that says how long a text is. */
export const addStep = async (copy: Copy): Promise<void> => {
  await copy.insert('schemas/domain/vocabulary.ts', { before: "  'insert',\n  'cluster',\n" }, "  'measure',\n")
  const record = 'schemas/events/signal.ts'
  await copy.insert(
    record,
    { after: '  readonly insertion: Insertion | null\n' },
    '  readonly measure: Measure | null\n',
  )
  await copy.insert(record, { after: '  insertion: null,\n' }, '  measure: null,\n')
  await copy.insert(
    record,
    { before: 'export interface Insertion {' },
    'export interface Measure {\n  readonly length: string\n}\n\n',
  )
  await copy.insert(
    'schemas/events/signal.avsc.ts',
    { before: '  ],\n} as const satisfies AvroRecord' },
    `    {
      name: 'measure',
      type: [
        'null',
        {
          type: 'record',
          name: 'Measure',
          doc: 'How long it is.',
          fields: [{ name: 'length', type: 'string', doc: 'Short or long.' }],
        },
      ],
      default: null,
      doc: 'Set by measure.',
    },
`,
  )
  await addMigration(
    copy,
    'measure_step',
    `alter table paused_steps drop constraint paused_steps_step_check,
  add constraint paused_steps_step_check check (step in (${quoted([...STEPS, 'measure'])}));\n`,
  )
  await copy.add(
    'processors/steps/measure/measure.ts',
    `import { next, type StepDefinition, type WithParts } from '../../framework/step.ts'

export const createMeasure = (): StepDefinition<WithParts<'content'>, { readonly measure: { readonly length: string } }> => ({
  name: 'measure',
  summary: 'Says how long the text is.',
  guarantee: 'Writes nothing.',
  version: '1',
  isPerSignal: true,
  run: async batch =>
    batch.map(({ content }) => {
      const length = content.text.length < 1000 ? 'short' : 'long'
      return next({ measure: { length } }, { note: length })
    }),
})
`,
  )
  const topology = 'processors/topology.ts'
  await copy.insert(
    topology,
    { before: 'import { untilScrubbed }' },
    "import { createMeasure } from './steps/measure/measure.ts'\n",
  )
  await copy.insert(topology, { before: '    .step(createInsert(' }, '    .step(createMeasure())\n')
}

/** A kind of source whose senders post a text, with the secret as their token. */
export const addSourceKind = async (copy: Copy): Promise<void> => {
  await copy.insert(
    'schemas/domain/vocabulary.ts',
    { after: `export const SOURCE_KINDS = [${quoted(SOURCE_KINDS)}` },
    ", 'postcard'",
  )
  await addMigration(
    copy,
    'postcards',
    `alter table sources drop constraint sources_kind_check,
  add constraint sources_kind_check check (kind in (${quoted([...SOURCE_KINDS, 'postcard'])}));\n`,
  )
  await copy.add(
    'model/sources/kinds/postcard.ts',
    `import { Type } from 'typebox'
import type { PostedIntake, SourceKindDescription } from './kind.ts'

export const PostcardBody = Type.Object({ text: Type.String({ minLength: 1, maxLength: 1000 }) })

export const postcard: SourceKindDescription<PostedIntake> = {
  intake: {
    reachedBy: 'post',
    segment: () => 'postcard',
    contentTypes: ['application/json'],
    maxBodyBytes: 16 * 1024,
    limit: { requests: 100, seconds: 60 },
    proof: { scheme: 'bearer' },
    headers: [],
    body: PostcardBody,
    answer: { properties: { snippet_id: { type: 'string', format: 'uuid' } }, required: ['snippet_id'] },
    operation: { id: 'receive_postcard', summary: 'Send a postcard', description: 'A text, and no more.' },
    example: ({ text }) => ({ headers: {}, body: JSON.stringify({ text }) }),
    expectedResponse: '200 with {"ok": true} and a snippet_id.',
  },
  createdBy: 'person',
  oneOnly: null,
  connectables: [
    {
      code_host: null,
      title: 'Postcards',
      accepts: 'Whoever writes a text and no more.',
      words: 'postcard letter',
      steps: ['Post each text to the URL.'],
    },
  ],
  form: { label: 'Postcards', about: 'Texts.', icon: 'mail', exampleName: 'Letter box', fields: [] },
}
`,
  )
  const kinds = 'model/sources/kinds/index.ts'
  await copy.insert(
    kinds,
    { before: "import { signal } from './signal.ts'\n" },
    "import { postcard } from './postcard.ts'\n",
  )
  await copy.insert(kinds, { after: '  code_host: codeHost,\n' }, '  postcard,\n')
  await copy.add(
    'ingest/receivers/postcard/receiver.ts',
    `import { Compile } from 'typebox/compile'
import { PostcardBody } from '../../../model/sources/kinds/postcard.ts'
import { IDEMPOTENCY_KEY_HEADER } from '../../../schemas/http/headers.ts'
import { checkKey, signalDraft } from '../drafts.ts'
import { endpointReceiver } from '../endpoint-receiver.ts'
import { readJson } from '../json.ts'

const postcardBody = Compile(PostcardBody)

export const postcardReceiver = endpointReceiver('postcard', {
  receive: request => {
    const key = request.headers[IDEMPOTENCY_KEY_HEADER]
    const refused = checkKey('X-Idempotency-Key', key)
    if (refused) return refused
    const parsed = readJson(request.body, postcardBody)
    if (parsed.kind === 'refusal') return parsed
    const body = JSON.stringify({ text: parsed.value.text, source: 'postcard' })
    const draft = signalDraft(request, 'webhook', key, [parsed.value.text], { format: 'signal', body })
    return { kind: 'taken', drafts: [draft], answer: { ok: true, snippet_id: draft.record.signal_id } }
  },
})
`,
  )
  const receivers = 'ingest/receivers/index.ts'
  await copy.insert(
    receivers,
    { before: "import type { Receiver } from './receiver.ts'\n" },
    "import { postcardReceiver } from './postcard/receiver.ts'\n",
  )
  await copy.insert(receivers, { after: '  email: [emailReceiver],\n' }, '  postcard: [postcardReceiver],\n')
}

/** An operation that says how many sources there are, as a mode of a tool. */
export const addOperation = async (copy: Copy): Promise<void> => {
  await copy.add(
    'query-api/operations/sources/tally-sources.ts',
    `import { countSources } from '../../../model/sources/sources.ts'
import { readOperation, Type } from '../define.ts'

export const tallySources = readOperation({
  name: 'tally_sources',
  title: 'Tally sources',
  summary: 'How many sources the workspace has.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({}),
  output: Type.Object({ sources: Type.Integer() }),
  run: (_input, { read }) => read(async transaction => ({ data: { sources: await countSources(transaction) } })),
})
`,
  )
  const registry = 'query-api/operations/registry.ts'
  await copy.insert(
    registry,
    { before: 'import { updateSource } from' },
    "import { tallySources } from './sources/tally-sources.ts'\n",
  )
  await copy.insert(registry, { before: '  updateSource,\n' }, '  tallySources,\n')
  const tools = 'query-api/tools/index.ts'
  await copy.insert(tools, { after: "      connections: 'list_sources',\n" }, "      tally: 'tally_sources',\n")
  await copy.insert(tools, { before: ' Then a more specific tool, only when needed.' }, ' tally: how many sources.')
  await copy.insert(
    'query-api/evals/tasks/orient.ts',
    { before: "  {\n    wants: 'Is feedback still coming in from the help desk?',\n" },
    `  {
    wants: 'How many ways in do we have?',
    calls: [orient('tally')],
    holds: [{ answer: 1, path: 'data.sources', atLeast: 1 }],
  },
`,
  )
}
