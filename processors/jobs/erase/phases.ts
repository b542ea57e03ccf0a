import { find, letters, mark } from './find-phases.ts'
import { quotes, saidByOthers, words } from './mask-phases.ts'
import type { Phase } from './phase.ts'
import { prove } from './prove.ts'
import { activity, history, note, rows, temporary } from './remove-phases.ts'
import { waitForLog } from './wait-for-log.ts'

/** In their order. What waits on the log is worked off first in the middle: what it brings is looked for once more. */
export const PHASES: readonly Phase[] = [
  { says: 'Notes what must not come back.', slice: mark },
  { says: 'Looks for signals.', slice: find('signals') },
  { says: 'Looks for repeats.', slice: find('occurrences') },
  { says: 'Reads dead letters.', slice: letters },
  { says: 'Removes signals and what hangs on them.', slice: rows },
  { says: 'Clears the history of changes.', slice: history },
  { says: 'Masks words in other texts.', slice: words },
  { says: 'Masks words in what others said.', slice: saidByOthers },
  { says: 'Masks quotes.', slice: quotes },
  { says: 'Removes files and answers that are kept for a day.', slice: temporary },
  { says: 'Waits until what is on the log has been worked off.', slice: waitForLog },
  { says: 'Reads dead letters once more.', slice: letters },
  { says: 'Tells ClickHouse.', slice: note },
  { says: 'Removes activity.', slice: activity },
  { says: 'Searches every store.', slice: prove },
]
