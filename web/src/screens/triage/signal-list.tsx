import { useVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, useEffect, useRef } from 'react'
import type { Signal } from './decision.ts'
import type { Selection } from './selection.ts'
import { ROW_HEIGHT, rowId, SignalRow } from './signal-row.tsx'
import classes from './triage.module.css'

/** So many lines before the last one that is there, the next page is asked for. */
const AHEAD = 60

interface Props {
  readonly items: readonly Signal[]
  /** How many there are in all, read or not. */
  readonly count: number
  readonly choice: Selection
  readonly onPress: (id: string, event: MouseEvent, onMark: boolean) => void
  readonly onOpen: (signal: Signal) => void
  readonly onNearEnd: () => void
  readonly onLook: (place: number) => void
}

/** As many lines as fit are in the page, however long the list is. */
export const SignalList = ({ items, count, choice, onPress, onOpen, onNearEnd, onLook }: Props) => {
  const frame = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  })
  const lines = virtualizer.getVirtualItems()
  const last = lines.at(-1)?.index ?? 0

  useEffect(() => {
    onLook(last)
    if (items.length > 0 && last >= items.length - AHEAD) onNearEnd()
  }, [last, items.length, onNearEnd, onLook])

  const place = items.findIndex(({ id }) => id === choice.cursor)
  useEffect(() => {
    if (place >= 0) virtualizer.scrollToIndex(place, { align: 'auto' })
  }, [place, virtualizer])

  const isDrawn = lines.some(({ index }) => index === place)
  return (
    <div
      ref={frame}
      className={classes.list}
      role="listbox"
      aria-label="Signals"
      aria-multiselectable
      tabIndex={0}
      aria-activedescendant={isDrawn && choice.cursor !== null ? rowId(choice.cursor) : undefined}
    >
      <div role="presentation" className={classes.lines} style={{ height: virtualizer.getTotalSize() }}>
        {lines.map(({ index, start }) => {
          const signal = items[index]
          return signal === undefined ? null : (
            <SignalRow
              key={signal.id}
              signal={signal}
              place={index}
              of={Math.max(count, items.length)}
              top={start}
              current={signal.id === choice.cursor}
              chosen={choice.chosen.has(signal.id)}
              onPress={(event, onMark) => onPress(signal.id, event, onMark)}
              onOpen={() => onOpen(signal)}
            />
          )
        })}
      </div>
    </div>
  )
}
