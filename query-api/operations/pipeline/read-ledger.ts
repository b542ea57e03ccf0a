import { SIGNAL_ENDS } from '../../../model/ledger/fingerprint.ts'
import { balanceOf } from '../../../model/ledger/installation-ledger.ts'
import { readOperation, Type } from '../define.ts'
import { instant, nullable, oneOf, uuid } from '../parts/fields.ts'

const InBoth = Type.Object({ postgres: Type.Integer(), clickhouse: Type.Integer() })

const Differing = Type.Object({
  end: oneOf(SIGNAL_ENDS),
  only_in_postgres: Type.Array(uuid),
  only_in_clickhouse: Type.Array(uuid),
})

export const readLedger = readOperation({
  name: 'read_ledger',
  title: 'The ledger: what came in and where it is',
  summary:
    'Counts every signal once, by its id, where it came in and where it ended, as each of the two stores has it. balanced: received = inserted + occurrences + dead + erased, the same ids in both. in_progress: not yet; ask again in a while. unbalanced: something is twice or gone.',
  units: 5,
  role: 'owner',
  audience: 'everyone',
  input: Type.Object({}),
  output: Type.Object({
    verdict: oneOf(['balanced', 'in_progress', 'unbalanced']),
    reasons: Type.Array(Type.String(), { description: 'What keeps it from balancing.' }),
    counted_at: Type.With(instant, {
      description:
        'When the count began. Of a workspace with 100,000 Signals or more it may be up to a minute ago: whoever asks has the next one made.',
    }),
    received: Type.Integer({
      description: 'Signals with a receipt: they came as far as the removal of personal data.',
    }),
    inserted: InBoth,
    occurrences: InBoth,
    dead: InBoth,
    dead_waiting: Type.Integer(),
    dead_replayed: Type.Integer(),
    dead_discarded: Type.Integer(),
    erased: Type.Integer({ description: 'Signals that were erased: nothing of them is left but this number.' }),
    erasing: Type.Integer({ description: 'Signals that an erasure under way takes away.' }),
    in_progress: Type.Integer({ description: 'Without an end so far.' }),
    oldest_in_progress_at: nullable(Type.String({ description: 'When the oldest of them was received.' })),
    ended_twice: Type.Integer({ description: 'Ids that are a signal and an occurrence.' }),
    misplaced: Type.Integer({ description: 'Pieces of evidence that hang on a claim that was merged away.' }),
    stranded: Type.Integer({ description: 'Problems and ideas that are evidence of no claim.' }),
    recorded_twice: Type.Integer({ description: 'Events that ClickHouse has more than once.' }),
    without_receipt: Type.Integer({ description: 'Signals that ended without a receipt.' }),
    changed_places: Type.Integer({
      description: 'Repeats that were originals before a restore: a repeat took their place.',
    }),
    differences: Type.Array(Differing, { description: 'The first ids that one store has and the other has not.' }),
  }),
  run: async (_input, { read, services: { analytics, ledgers }, caller }) => {
    const stores = { analytics, read: <T>(_ids: readonly unknown[], work: Parameters<typeof read<T>>[0]) => read(work) }
    const { ledger, countedAt } = await ledgers.count(stores, caller.workspaceId)
    const { workspace_id: _, differences, ...figures } = ledger
    const { verdict, reasons } = balanceOf([ledger], null)
    return {
      data: {
        verdict,
        reasons: [...reasons],
        counted_at: new Date(countedAt).toISOString(),
        ...figures,
        differences: differences.map(({ end, only_in_postgres, only_in_clickhouse }) => ({
          end,
          only_in_postgres: [...only_in_postgres],
          only_in_clickhouse: [...only_in_clickhouse],
        })),
      },
    }
  },
})
