import { type Static, Type } from 'typebox'
import { isLastPage, pageOfLetters } from '../../../model/dead-letters/page.ts'
import {
  boundSelection,
  type DeadLetterSelection,
  readReplayInput,
  SELECTED_DEAD_LETTERS,
} from '../../../model/dead-letters/selection.ts'
import { pipelineScope } from '../../../model/signals/scope.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import {
  type ReplayDependencies,
  replayWaiting,
  SELECT_WAITING_DEAD_LETTER,
  type WaitingDeadLetter,
} from '../../sinks/dead-letters/replay-dead-letters.ts'
import { cursorReader, type JobDefinition } from '../job-kind.ts'

const MAX_LETTERS = 200

const NEXT_LETTERS = `
  with ${pageOfLetters({
    where: `workspace_id = $6 and ${SELECTED_DEAD_LETTERS} and ($7::uuid is null or (signal_id, step) > ($7, $8::text))`,
    order: 'signal_id, step',
    limit: '$9',
  })}
  select ${SELECT_WAITING_DEAD_LETTER}, found from page join dead_letters using (signal_id, step) order by signal_id, step`

interface NextLetter extends WaitingDeadLetter {
  readonly found: number
}

const ReplayPosition = Type.Object({ signal_id: Type.String({ format: 'uuid' }), step: Type.String() })
/** The last dead letter of a slice. */
type ReplayPosition = Static<typeof ReplayPosition>
const positionIn = cursorReader(ReplayPosition)

/**
 * Replays selected dead letters: a single letter in the live lane, several in the bulk lane, at the requested rate.
 * Each letter is looked at once; a letter that dies again waits for a person.
 */
export const createReplayJob = (dependencies: ReplayDependencies): JobDefinition => ({
  kind: 'replay',
  slice: async ({ workspaceId, input, cursor }) => {
    const { selection, from_step, per_second } = readReplayInput(input)
    const limit = Math.min(MAX_LETTERS, Math.ceil(per_second))
    const deadLetters = await nextDeadLetters(workspaceId, selection, positionIn(cursor), limit, dependencies)
    const lane = selection.signal_id === null ? 'bulk' : 'live'
    const refusals = await replayWaiting(deadLetters, { lane, fromStep: from_step, byPerson: true }, dependencies)

    const last = deadLetters.at(-1)
    const refused = refusals.at(-1)
    return {
      cursor:
        last === undefined || isLastPage(deadLetters, limit) ? null : { signal_id: last.signal_id, step: last.step },
      done: deadLetters.length,
      failed: refusals.length,
      ...(refused && { message: refused.message }),
      pauseMs: (deadLetters.length / per_second) * 1000,
    }
  },
})

const nextDeadLetters = (
  workspaceId: WorkspaceId,
  selection: DeadLetterSelection,
  after: ReplayPosition | null,
  limit: number,
  { database }: ReplayDependencies,
): Promise<readonly NextLetter[]> =>
  database.transaction(pipelineScope([{ workspace_id: workspaceId }]), transaction =>
    transaction.query<NextLetter>(NEXT_LETTERS, [
      ...boundSelection(selection),
      workspaceId,
      after?.signal_id ?? null,
      after?.step ?? null,
      limit,
    ]),
  )
