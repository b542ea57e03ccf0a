import { IconRobot } from '@tabler/icons-react'
import { fromService } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { Reference, When } from '../../parts/inline.tsx'
import classes from './by-line.module.css'

interface Props {
  readonly name: string
  /** The label of the key that an agent worked through; null for the app. */
  readonly label: string | null
}

/** Which human it was, and through which key where an agent carried it in. */
export const ByLine = ({ name, label }: Props) => (
  <span className={classes.byLine}>
    <bdi>{name}</bdi>
    {label !== null && (
      <>
        {' '}
        <IconRobot size={13} aria-hidden /> {rich('through the key “{label}”', { label: <bdi>{label}</bdi> })}
      </>
    )}
  </span>
)

interface PlacedByProps {
  readonly decision: {
    readonly reference: string
    readonly text: string
    readonly made_by: string
    readonly key_label: string | null
    readonly made_at: string
  }
}

/** The foot of a card: the Decision by which a Solution is where it is. */
export const PlacedBy = ({ decision: { reference, text, made_by, key_label, made_at } }: PlacedByProps) => (
  <footer className={classes.decision}>
    <bdi className={classes.statement} title={fromService(text)}>
      {fromService(text)}
    </bdi>
    <div className={classes.by}>
      <Reference of={reference} />
      <ByLine name={made_by} label={key_label} />
      <When at={made_at} />
    </div>
  </footer>
)
