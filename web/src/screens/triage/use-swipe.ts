import { type PointerEvent, useRef } from 'react'

export type SwipeSide = 'right' | 'left'

/** So far a finger goes before it is known whether it scrolls or swipes, and before letting go means something. */
const SLOP = 10
const ENOUGH = 96

interface Started {
  readonly x: number
  readonly y: number
  isSwipe: boolean
}

/**
 * A line that follows a finger to either side, and does something where it is let go far enough. Its style has the way
 * as `--swiped`.
 */
export const useSwipe = (onSwiped: ((side: SwipeSide) => void) | undefined) => {
  const started = useRef<Started | null>(null)
  const show = (line: HTMLElement, way: number) => {
    line.style.setProperty('--swiped', `${way}px`)
    line.toggleAttribute('data-swiped', way !== 0)
    line.toggleAttribute('data-enough', Math.abs(way) >= ENOUGH)
  }
  if (onSwiped === undefined) return {}
  return {
    onPointerDown: ({ pointerType, isPrimary, clientX, clientY }: PointerEvent<HTMLElement>) => {
      started.current = pointerType === 'touch' && isPrimary ? { x: clientX, y: clientY, isSwipe: false } : null
    },
    onPointerMove: ({ currentTarget, pointerId, clientX, clientY }: PointerEvent<HTMLElement>) => {
      const from = started.current
      if (from === null) return
      const way = clientX - from.x
      if (!from.isSwipe && Math.abs(way) > SLOP && Math.abs(way) > Math.abs(clientY - from.y)) {
        from.isSwipe = true
        currentTarget.setPointerCapture(pointerId)
      }
      if (from.isSwipe) show(currentTarget, way)
    },
    onPointerUp: ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
      const from = started.current
      started.current = null
      show(currentTarget, 0)
      const way = from?.isSwipe === true ? clientX - from.x : 0
      if (Math.abs(way) >= ENOUGH) onSwiped(way > 0 ? 'right' : 'left')
    },
    // The browser scrolls.
    onPointerCancel: ({ currentTarget }: PointerEvent<HTMLElement>) => {
      started.current = null
      show(currentTarget, 0)
    },
  }
}
