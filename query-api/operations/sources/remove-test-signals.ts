import { removeTests } from '../../../model/test-signals/test-signals.ts'
import { Type, writeOperation } from '../define.ts'

export const removeTestSignals = writeOperation({
  name: 'remove_test_signals',
  title: 'Remove tests of sources',
  summary: 'Removes every test of a source that came through. Nothing else changes, as nothing counted them.',
  effect: 'write',
  units: 1,
  role: 'member',
  audience: 'people',
  cannotBeUndone: 'A test is sent again with sign_test_request.',
  input: Type.Object({}),
  output: Type.Object({ removed: Type.Integer({ description: 'How many there were.' }) }),
  apply: async (_input, transaction) => ({ data: { removed: await removeTests(transaction) } }),
})
