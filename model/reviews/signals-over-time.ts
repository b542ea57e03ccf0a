import type { Transaction } from '../../infra/postgres/port.ts'
import { DAY_MS } from '../../schemas/domain/durations.ts'
import { SIGNAL_STATES } from '../../schemas/domain/vocabulary.ts'
import type { Window } from '../changes/window.ts'
import { happenedAt } from '../signals/happened.ts'
import type { ReviewFigures } from './review-figures.ts'

/** As many as a chart tells apart. */
const MAX_PARTS = 31
/** Of a time too short to be told by its days. */
const SHORT_PARTS = 12

interface Row {
  /** 0 is the first part of the time before. */
  readonly part: number
  readonly signals: number
}

/** `$1` the beginning of the time before, `$2` the end, `$3` the seconds of a part, `$4` how many parts both times have. */
const IN_PARTS = `
  select least($4 - 1, greatest(0, floor(extract(epoch from ${happenedAt()} - $1)::double precision / $3)))::integer as part,
    count(*)::integer as signals
  from signals
  where state = any ($5) and ${happenedAt()} >= $1 and ${happenedAt()} < $2
  group by part`

/** How many Signals happened over a time, day by day where it is one of up to a month, beside those of the time before. */
export const signalsOverTime = async (
  transaction: Transaction,
  { from, to }: Window,
  before: Window,
): Promise<NonNullable<ReviewFigures['signals']['time_series']>> => {
  const length = to.getTime() - from.getTime()
  const days = Math.ceil(length / DAY_MS)
  const parts = days < 3 ? SHORT_PARTS : Math.min(days, MAX_PARTS)
  const rows = await transaction.query<Row>(IN_PARTS, [
    before.from,
    to,
    length / parts / 1000,
    2 * parts,
    SIGNAL_STATES,
  ])
  const counted = new Map(rows.map(({ part, signals }) => [part, signals]))
  return Array.from({ length: parts }, (_, part) => ({
    from: new Date(from.getTime() + (part * length) / parts).toISOString(),
    signals: counted.get(parts + part) ?? 0,
    previous_signals: counted.get(part) ?? 0,
  }))
}
