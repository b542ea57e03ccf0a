import { useMediaQuery } from '@mantine/hooks'
import { type MouseEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { counted, t, word } from '../../language/messages.ts'
import { CLASSIFICATION_LOOKS, Initials } from '../../parts/badges.tsx'
import { moment, percent } from '../../parts/formats.ts'
import { When } from '../../parts/inline.tsx'
import { whatIsKnown } from '../../parts/perhaps.ts'
import type { Selection } from '../../parts/selection.ts'
import { useDensity } from '../../shell/account-menu.tsx'
import { customerOf } from './customer-of.ts'
import type { Signal } from './decision.ts'
import { findWords, fromFirstMark } from './found-words.ts'
import classes from './triage.module.css'
import { type SwipeSide, useSwipe } from './use-swipe.ts'

/** So many lines before the last one that is there, the next page is asked for. */
const AHEAD = 60
/** Above and below those that are in sight so many are drawn: a scroll comes before what it shows. */
const AROUND = 8

interface Props {
  readonly items: readonly Signal[]
  /** How many there are in all, read or not. */
  readonly count: number
  readonly choice: Selection
  /** The words that the list is searched for, which are marked; empty for none. */
  readonly sought: string
  readonly onPress: (id: string, event: MouseEvent, onMark: boolean) => void
  readonly onOpen: (signal: Signal) => void
  /** Absent for whoever may not decide. */
  readonly onSwipe: ((signal: Signal, side: SwipeSide) => void) | undefined
  readonly onNearEnd: () => void
  readonly onLook: (place: number) => void
}

/** As many lines as fit are in the page, however long the list is. */
export const SignalList = ({ items, count, choice, sought, onPress, onOpen, onSwipe, onNearEnd, onLook }: Props) => {
  const frame = useRef<HTMLDivElement>(null)
  const height = useRowHeight()
  const sight = useSight(frame, height)
  const begin = Math.max(0, sight.first - AROUND)
  const drawn = items.slice(begin, sight.first + sight.fitting + AROUND)
  const last = begin + Math.max(0, drawn.length - 1)

  useEffect(() => {
    onLook(last)
    if (items.length > 0 && last >= items.length - AHEAD) onNearEnd()
  }, [last, items.length, onNearEnd, onLook])

  const place = items.findIndex(({ id }) => id === choice.cursor)
  // biome-ignore lint/correctness/useExhaustiveDependencies: where the lines get another height, nobody moved
  useEffect(() => {
    if (place >= 0 && frame.current !== null) bringInSight(frame.current, place * height, height)
  }, [place])

  const isDrawn = place >= begin && place <= last
  return (
    <div
      ref={frame}
      className={classes.list}
      role="listbox"
      aria-label={t('Signals')}
      aria-multiselectable
      tabIndex={0}
      aria-activedescendant={isDrawn && choice.cursor !== null ? rowId(choice.cursor) : undefined}
    >
      <div role="presentation" className={classes.lines} style={{ height: items.length * height }}>
        {drawn.map((signal, index) => (
          <SignalRow
            key={signal.id}
            signal={signal}
            sought={sought}
            place={begin + index}
            of={Math.max(count, items.length)}
            top={(begin + index) * height}
            current={signal.id === choice.cursor}
            chosen={choice.chosen.has(signal.id)}
            onPress={(event, onMark) => onPress(signal.id, event, onMark)}
            onOpen={() => onOpen(signal)}
            onSwipe={onSwipe && (side => onSwipe(signal, side))}
          />
        ))}
      </div>
    </div>
  )
}

/** As the style sheet has them. */
const HEIGHTS = { comfortable: 52, dense: 34, phone: 74 }

const useRowHeight = (): number => {
  const [density] = useDensity()
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  return HEIGHTS[isPhone && density === 'comfortable' ? 'phone' : density]
}

/** Which line is the first one in sight, and how many fit there, all of one height. */
interface Sight {
  readonly first: number
  readonly fitting: number
}

/** What of a list is in sight of the frame that it scrolls in: told anew when that is another line. */
const useSight = (frame: RefObject<HTMLElement | null>, height: number): Sight => {
  const [sight, setSight] = useState<Sight>({ first: 0, fitting: 0 })
  useLayoutEffect(() => {
    const { current: element } = frame
    if (element === null) return
    const look = () => {
      const first = Math.floor(element.scrollTop / height)
      const fitting = Math.ceil(element.clientHeight / height) + 1
      setSight(now => (now.first === first && now.fitting === fitting ? now : { first, fitting }))
    }
    // Paper shows every line that was read.
    const print = matchMedia('print')
    const printed = () => (print.matches ? flushSync(() => setSight({ first: 0, fitting: Infinity })) : look())
    look()
    const resized = new ResizeObserver(() => print.matches || look())
    resized.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    print.addEventListener('change', printed)
    return () => {
      print.removeEventListener('change', printed)
      resized.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [frame, height])
  return sight
}

/** Scrolls no further than it takes to see all of a line. */
const bringInSight = (frame: HTMLElement, top: number, height: number): void => {
  const { scrollTop, clientHeight } = frame
  frame.scrollTop = Math.max(top + height - clientHeight, Math.min(top, scrollTop))
}

interface SignalRowProps {
  readonly signal: Signal
  readonly sought: string
  readonly place: number
  readonly of: number
  readonly top: number
  readonly current: boolean
  readonly chosen: boolean
  readonly onPress: (event: MouseEvent, onMark: boolean) => void
  readonly onOpen: () => void
  readonly onSwipe: ((side: SwipeSide) => void) | undefined
}

/** From where it says something itself, unless somebody looks for words. */
const shownOf = ({ text, lead }: Signal, sought: string): string => (sought === '' ? (lead ?? text) : text)

const rowId = (id: string): string => `signal-${id}`

/**
 * One Signal in two lines: what was said, and what the pipeline made of it. All of it is text: what acts is beside the
 * list.
 */
const SignalRow = ({ signal, sought, place, of, top, current, chosen, onPress, onOpen, onSwipe }: SignalRowProps) => {
  const Icon = CLASSIFICATION_LOOKS[signal.classification].icon
  const swipe = useSwipe(onSwipe)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus and takes the keys, for all of its lines
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and takes the keys, for all of its lines
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
      data-on-right={t('Accept')}
      data-on-left={t('Dismiss')}
      style={{ transform: `translate(var(--swiped, 0), ${top}px)` }}
      {...swipe}
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
        <div dir="auto" lang="" className={classes.text}>
          {fromFirstMark(findWords(shownOf(signal, sought), sought)).map(({ text, mark }, at) =>
            mark === null ? (
              text
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never move
              <mark key={at} className={classes.sought}>
                {text}
              </mark>
            ),
          )}
        </div>
        <div className={classes.facts}>
          <span className={classes.reference}>{signal.reference}</span>
          <span className={classes.aside}>
            {signal.classification === 'unclassified'
              ? whatIsKnown(signal)
              : `${word(signal.classification)} ${percent(signal.classification_confidence)}`}
          </span>
          {signal.node !== null && (
            <span className={classes.aside}>
              <bdi>{signal.node.name}</bdi>
              {signal.node.score !== null && ` ${percent(signal.node.score)}`}
            </span>
          )}
          {signal.claims.map(claim => (
            <span key={claim.id}>{claim.reference}</span>
          ))}
          {signal.occurrences > 0 && <span className={classes.strong}>{counted(signal.occurrences, 'repeat')}</span>}
          {signal.snooze?.is_active === true && signal.snooze.until !== null && (
            <span className={classes.strong}>{t('until {value}', { value: moment(signal.snooze.until) })}</span>
          )}
          {signal.snooze !== null && !signal.snooze.is_active && (
            <span className={classes.strong}>{t('back from snooze')}</span>
          )}
          {signal.duplicate_of !== null && (
            <span>{t('repeats {duplicate_of}', { duplicate_of: signal.duplicate_of })}</span>
          )}
          {signal.source !== null && <bdi>{signal.source}</bdi>}
          {customerOf(signal.metadata ?? {}).map(({ name, said }) => (
            <bdi key={name} title={name}>
              {said}
            </bdi>
          ))}
        </div>
      </div>
      {signal.owner !== null && <Initials name={signal.owner.name} />}
      <span className={classes.when}>
        <When at={signal.occurred_at} received={signal.received_at} />
      </span>
    </div>
  )
}
