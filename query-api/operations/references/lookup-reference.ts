import { type Candidate, refuseErased, requireNoPendingSignal, resolve } from '../../../model/references/resolve.ts'
import type { Identifiable } from '../../../model/references/statements.ts'
import { ownText, untrustedText } from '../../../schemas/domain/strangers.ts'
import { AssayError, readOperation, Type } from '../define.ts'
import { inOneAnswer, nullable, oneOf, uuid } from '../parts/fields.ts'

const KINDS = [
  'claim',
  'solution',
  'signal',
  'decision',
  'node',
  'metric',
  'source',
  'group',
  'strategy_element',
] as const satisfies readonly Identifiable[]

const Named = { id: uuid, reference: nullable(Type.String()) }

/** Kinds that senders' words name; members and their agents name all others. */
const OF_SENDERS: readonly (typeof KINDS)[number][] = ['claim', 'signal']
const isOfSenders = (kind: (typeof KINDS)[number]): boolean => OF_SENDERS.includes(kind)

export const lookupReference = readOperation({
  name: 'lookup_reference',
  title: 'What a reference, an id or a name stands for',
  summary:
    'Resolves any reference (SIG-7, CLM-3, SOL-12, DEC-4), UUID or name to the objects it fits. Use it when you do not know what kind of object a text names. With nothing exact it answers objects whose names share a word.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({
    query: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'Reference, UUID or name. Or words to search for.',
    }),
  }),
  output: Type.Object({
    exact: Type.Boolean({ description: 'Whether the items are what the text stands for, or only near it.' }),
    count: Type.Integer({ description: 'Of these; what has the same name beyond them is not looked for.' }),
    items: inOneAnswer(
      'the first candidates of each kind',
      Type.Unsafe<Candidate>(
        Type.Union([
          Type.Object({ ...Named, kind: oneOf(OF_SENDERS), name: untrustedText() }),
          Type.Object({ ...Named, kind: oneOf(KINDS.filter(kind => !isOfSenders(kind))), name: ownText() }),
        ]),
      ),
    ),
  }),
  run: (input, { read }) =>
    read(async transaction => {
      const exact: Candidate[] = []
      const near: Candidate[] = []
      for (const kind of KINDS) {
        const resolution = await resolve(transaction, kind, input.query)
        if (resolution.kind === 'one') exact.push(resolution.found)
        else (resolution.kind === 'several' ? exact : near).push(...resolution.candidates)
      }
      // A metric is also a source: it is listed once, as the metric.
      const named = new Map((exact.length > 0 ? exact : near).toReversed().map(item => [item.id, item]))
      const items = [...named.values()].reverse()
      if (items.length === 0) {
        await requireNoPendingSignal(transaction, input.query)
        for (const kind of KINDS) await refuseErased(transaction, kind, input.query)
        throw new AssayError(
          'not_found',
          `Nothing in this workspace is "${input.query.slice(0, 80)}". Search the evidence with service_lookup mode search, or look at service_orient mode snapshot.`,
        )
      }
      return { data: { exact: exact.length > 0, count: items.length, items } }
    }),
})
