import { readTests } from '../../../model/test-signals/test-signals.ts'
import { untrustedText } from '../../../schemas/domain/strangers.ts'
import { readOperation, Type } from '../define.ts'
import { inOneAnswer, instant, nullable, uuid } from '../parts/fields.ts'

export const listTestSignals = readOperation({
  name: 'list_test_signals',
  title: 'Tests of sources that came through',
  summary:
    'Lists the newest tests of sources that went the whole way through the pipeline. A test is no Signal: nothing counts it, and it is evidence of nothing.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({}),
  output: Type.Object({
    items: inOneAnswer(
      'the newest few are kept',
      Type.Object({
        id: Type.With(uuid, { description: 'The snippet_id that its sender was answered.' }),
        source_id: nullable(uuid),
        text: untrustedText(),
        received_at: instant,
      }),
    ),
  }),
  run: async (_input, { read }) => {
    const rows = await read(readTests)
    return { data: { items: rows.map(row => ({ ...row, received_at: row.received_at.toISOString() })) } }
  },
})
