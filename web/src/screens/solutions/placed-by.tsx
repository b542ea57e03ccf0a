import { Reference } from '../../parts/reference.tsx'
import { When } from '../../parts/when.tsx'
import { ByLine } from './by-line.tsx'
import classes from './placed-by.module.css'

interface Props {
  readonly decision: {
    readonly reference: string
    readonly text: string
    readonly made_by: string
    readonly key_label: string | null
    readonly made_at: string
  }
}

/** The foot of a card: the Decision by which a Solution is where it is. */
export const PlacedBy = ({ decision: { reference, text, made_by, key_label, made_at } }: Props) => (
  <footer className={classes.decision}>
    <bdi className={classes.statement} title={text}>
      {text}
    </bdi>
    <div className={classes.by}>
      <Reference of={reference} />
      <ByLine name={made_by} label={key_label} />
      <When at={made_at} />
    </div>
  </footer>
)
