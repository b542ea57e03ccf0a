import { IconBug, IconBulb, IconHelp, IconLineDashed } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { When } from '../../parts/when.tsx'
import type { Signal } from './decision.ts'
import classes from './triage.module.css'

const ICONS = { problem: IconBug, idea: IconBulb, question: IconHelp, unclassified: IconLineDashed } as const

export const ROW_HEIGHT = 52

interface Props {
  readonly signal: Signal
  readonly place: number
  readonly of: number
  readonly top: number
  readonly current: boolean
  readonly chosen: boolean
  readonly onPress: (event: MouseEvent, onMark: boolean) => void
  readonly onOpen: () => void
}

export const rowId = (id: string): string => `signal-${id}`

/** One Signal in two lines: what was said, and what the pipeline made of it. All of it is text: what acts is beside the list. */
export const SignalRow = ({ signal, place, of, top, current, chosen, onPress, onOpen }: Props) => {
  const Icon = ICONS[signal.classification]
  return (
    // The list has the focus and takes the keys, for all of its lines.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    <div
      id={rowId(signal.id)}
      role="option"
      aria-selected={chosen}
      aria-current={current ? 'true' : undefined}
      aria-posinset={place + 1}
      aria-setsize={of}
      className={classes.row}
      data-current={current || undefined}
      data-chosen={chosen || undefined}
      style={{ transform: `translateY(${top}px)` }}
      onClick={event => onPress(event, false)}
      onDoubleClick={onOpen}
    >
      <span
        className={classes.mark}
        aria-hidden
        onClick={event => {
          event.stopPropagation()
          onPress(event, true)
        }}
      />
      <Icon size={16} stroke={1.7} aria-hidden className={classes.icon} data-classification={signal.classification} />
      <div className={classes.words}>
        <div dir="auto" className={classes.text}>
          {signal.text}
        </div>
        <div className={classes.facts}>
          <span className={classes.reference}>{signal.reference}</span>
          <span>
            {signal.classification} {signal.classification_confidence.toFixed(2)}
          </span>
          {signal.node !== null && (
            <span>
              <bdi>{signal.node.name}</bdi>
              {signal.node.score !== null && ` ${signal.node.score.toFixed(2)}`}
            </span>
          )}
          {signal.claims.map(claim => (
            <span key={claim.id}>{claim.reference}</span>
          ))}
          {signal.occurrences > 0 && (
            <span className={classes.strong}>
              {signal.occurrences} {signal.occurrences === 1 ? 'duplicate' : 'duplicates'}
            </span>
          )}
          {signal.snooze !== null && !signal.snooze.asleep && <span className={classes.strong}>back from snooze</span>}
          {signal.duplicate_of !== null && <span>duplicate of {signal.duplicate_of}</span>}
          {signal.source !== null && <bdi>{signal.source}</bdi>}
        </div>
      </div>
      <span className={classes.when}>
        <When at={signal.received_at} />
      </span>
    </div>
  )
}
