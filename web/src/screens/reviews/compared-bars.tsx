import classes from './reviews.module.css'

interface Props {
  readonly value: number
  readonly before: number | undefined
  /** What a bar of full length stands for. */
  readonly most: number
}

/** A number above that of the time before, as lengths. */
export const ComparedBars = ({ value, before, most }: Props) => (
  <div className={classes.bars}>
    <span style={{ width: `${most === 0 ? 0 : (value / most) * 100}%` }} />
    {before !== undefined && <span data-before style={{ width: `${most === 0 ? 0 : (before / most) * 100}%` }} />}
  </div>
)
