import { readShownBar } from '../../../model/merges/chance/correction.ts'
import { showLessLikely as show } from '../../../model/merges/proposal-bar.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import { Type, writeOperation } from '../define.ts'
import { BarShape } from './merge.ts'

export const showLessLikely = writeOperation({
  name: 'show_less_likely',
  title: 'Show less likely merges',
  summary:
    'Brings the next 20 pairs that were too unlikely to be asked about, the likeliest first, however unlikely. Settling pairs never brings others: signals do, and this.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  cannotBeUndone: 'It only shows more proposals.',
  input: Type.Object({}),
  output: Type.Object({ bar: BarShape }),
  apply: async (_, transaction, { caller }) => {
    await lockWorkspaces(transaction, [caller.workspaceId], 'claims')
    await show(transaction, caller.workspaceId)
    return { data: { bar: await readShownBar(transaction, caller.workspaceId) } }
  },
})
