import type { Page } from 'playwright-core'

/** A transition or an animation that ends, of what the page shows, and how long it takes with its delay. */
export interface Motion {
  readonly what: string
  readonly milliseconds: number
}

// Of all that is there, pseudo-elements too. What goes on for ever says that something is being read.
const MOTIONS = `
  [...document.querySelectorAll('body, body *')].flatMap(element => ['', '::before', '::after'].flatMap(pseudo => {
    const style = getComputedStyle(element, pseudo || undefined)
    const isThere = pseudo === '' || style.content !== 'none'
    const inMs = times => times.split(',').map(time => parseFloat(time) * (time.trim().endsWith('ms') ? 1 : 1000))
    const longest = (lasts, delays) => Math.max(...inMs(lasts).map((ms, place) => ms === 0 ? 0 : ms + (inMs(delays)[place] ?? 0)))
    const goesOn = style.animationIterationCount.includes('infinite')
    const animated = style.animationName === 'none' || goesOn ? 0 : longest(style.animationDuration, style.animationDelay)
    const milliseconds = Math.max(longest(style.transitionDuration, style.transitionDelay), animated)
    const what = element.tagName.toLowerCase() + '.' + String(element.className.baseVal ?? element.className).replaceAll(' ', '.') + pseudo
    return isThere && milliseconds > 0 ? [{ what, milliseconds }] : []
  }))`

/** What on the page moves when it changes; what goes on for ever is left out. */
export const motionsOf = (page: Page): Promise<readonly Motion[]> => page.evaluate(MOTIONS)

/** What never stands still: skeletons and spinners. */
export const restlessOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    `document.getAnimations().filter(({ playState, effect }) => playState === 'running' && effect.getTiming().iterations === Infinity).map(({ animationName }) => animationName)`,
  )
