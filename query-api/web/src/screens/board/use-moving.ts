import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { placeAt } from './plan-drop.ts'

export interface Move {
  readonly id: string
  readonly from: number
  /** Its place among the others. */
  readonly to: number
}

interface Options {
  /** The Solutions in the order shown. */
  readonly ids: readonly string[]
  /** Holds the rows, each with `data-solution`. */
  readonly list: RefObject<HTMLElement | null>
  readonly onDrop: (move: Move) => void
}

/** How near the window’s edge, in pixels, the list begins to scroll under what is dragged, and how far at a time. */
const EDGE = 72
const SCROLLED = 14
const SCROLL_EVERY_MS = 16

/**
 * Moves a row by its handle: dragged with a pointer, or lifted with Space, moved with the arrow keys and put down with Space again. Escape
 * leaves it where it was.
 */
export const useMoving = ({ ids, list, onDrop }: Options) => {
  const [move, setMove] = useState<Move | null>(null)
  const [isDragged, setDragged] = useState(false)
  const height = useRef(0)

  const toHeight = () => {
    const rows = [...(list.current?.querySelectorAll('[data-solution]') ?? [])]
    const middles = rows.map(row => {
      const { top, bottom } = row.getBoundingClientRect()
      return (top + bottom) / 2
    })
    setMove(before => before && { ...before, to: placeAt(middles, before.from, height.current) })
  }

  useEffect(() => {
    if (!isDragged) return
    const timer = setInterval(() => {
      const by = height.current < EDGE ? -SCROLLED : height.current > innerHeight - EDGE ? SCROLLED : 0
      if (by === 0) return
      scrollBy({ top: by, behavior: 'instant' })
      toHeight()
    }, SCROLL_EVERY_MS)
    return () => clearInterval(timer)
  })

  const lift = (id: string) => {
    const from = ids.indexOf(id)
    if (from !== -1) setMove({ id, from, to: from })
  }
  const leave = () => {
    setDragged(false)
    setMove(null)
  }
  const drop = () => {
    leave()
    if (move !== null && move.to !== move.from) onDrop(move)
  }

  const handleOf = (id: string) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      height.current = event.clientY
      setDragged(true)
      lift(id)
    },
    onPointerMove: (event: PointerEvent) => {
      if (!isDragged) return
      height.current = event.clientY
      toHeight()
    },
    onPointerUp: () => isDragged && drop(),
    onPointerCancel: leave,
    onBlur: () => !isDragged && leave(),
    onKeyDown: (event: KeyboardEvent) => {
      const lifted = move?.id === id
      const to = lifted ? placeAfter(event.key, move.to, ids.length - 1) : null
      if (event.key === ' ' || event.key === 'Enter') {
        if (lifted) drop()
        else lift(id)
      } else if (event.key === 'Escape') leave()
      else if (lifted && to !== null) setMove({ ...move, to })
      else return
      event.preventDefault()
    },
  })
  return { move, handleOf, leave }
}

const placeAfter = (key: string, place: number, last: number): number | null => {
  const places: Readonly<Record<string, number>> = { ArrowUp: place - 1, ArrowDown: place + 1, Home: 0, End: last }
  const to = places[key]
  return to === undefined ? null : Math.min(Math.max(to, 0), last)
}
