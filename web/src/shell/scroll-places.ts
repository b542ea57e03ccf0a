import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** How far each entry of the history was scrolled. */
const places = new Map<string, number>()

/** Another screen begins at its top; the way back leads to where one was. */
export const useScrollPlaces = (): void => {
  const { key, pathname, hash } = useLocation()
  const type = useNavigationType()
  const shown = useRef(pathname)
  useEffect(() => {
    const isOther = shown.current !== pathname
    shown.current = pathname
    if (hash === '' && isOther) scrollTo(0, type === 'POP' ? (places.get(key) ?? 0) : 0)
    const keep = () => void places.set(key, scrollY)
    addEventListener('scroll', keep, { passive: true })
    return () => removeEventListener('scroll', keep)
  }, [key, pathname, hash, type])
}
