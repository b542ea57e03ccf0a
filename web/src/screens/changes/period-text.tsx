import { When } from '../../parts/when.tsx'

interface Props {
  /** ISO 8601. */
  readonly from: string
  readonly to: string
}

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const JUST_NOW_MS = 60_000

/** From when until when, in the reader’s zone. */
export const PeriodText = ({ from, to }: Props) => (
  <>
    From {moment.format(new Date(from))}{' '}
    {Date.now() - Date.parse(to) < JUST_NOW_MS ? (
      <>
        (<When at={from} />) until now
      </>
    ) : (
      `to ${moment.format(new Date(to))}`
    )}
  </>
)
