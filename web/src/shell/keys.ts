import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { createRegister } from './registered.ts'

export interface KeyBinding {
  /** As `KeyboardEvent.key` has it (`j`, `?`, `ArrowDown`), after `mod+` for Ctrl or ⌘ and, for keys that print nothing, `shift+`. */
  readonly key: string
  /** For the help: what it does, as a short sentence without its full stop. */
  readonly does: string
  readonly run: () => void
  /** Another binding of the same key goes first, whichever came later. */
  readonly givesWay?: true
}

const bindings = createRegister<KeyBinding>()

/** Binds keys while the component is mounted, and lists them in the help. They rest while somebody writes or a dialog is open. */
export const useKeys = (wanted: readonly KeyBinding[]): void => {
  const newest = useRef(wanted)
  // As soon as a screen is seen: a key that comes before other effects have run is meant for what is there.
  useLayoutEffect(() => {
    newest.current = wanted
  })
  const names = JSON.stringify(wanted.map(({ key, does, givesWay }) => [key, does, givesWay === true]))
  // A binding keeps its place while its screen renders again, and runs what the last rendering meant.
  const lasting = useMemo(
    () =>
      (JSON.parse(names) as [string, string, boolean][]).map(([key, does, givesWay], place) => ({
        key,
        does,
        ...(givesWay && { givesWay }),
        run: () => newest.current[place]?.run(),
      })),
    [names],
  )
  bindings.useRegister(lasting)
}

/** Every key that does something at the moment. */
export const useBoundKeys = (): readonly KeyBinding[] => {
  const all = bindings.useAll()
  return all.filter(
    binding => binding.givesWay !== true || all.every(other => other === binding || other.key !== binding.key),
  )
}

/** Listens; rendered once, by the shell. */
export const useKeyboard = (): void =>
  useEffect(() => {
    // What closes at a key is gone by the time that the key gets here.
    let wasBusy = false
    const look = (event: KeyboardEvent) => {
      passToDialog(event)
      wasBusy = isBusy(event.target)
    }
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || wasBusy || isBusy(event.target)) return
      const chord = chordOf(event)
      const bound = bindings.newestFirst().filter(({ key }) => key === chord)
      const found = bound.find(({ givesWay }) => givesWay !== true) ?? bound[0]
      if (found === undefined) return
      event.preventDefault()
      found.run()
    }
    addEventListener('keydown', look, { capture: true })
    addEventListener('keydown', pressed)
    return () => {
      removeEventListener('keydown', look, { capture: true })
      removeEventListener('keydown', pressed)
    }
  }, [])

const chordOf = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string =>
  `${ctrlKey || metaKey ? 'mod+' : ''}${altKey ? 'alt+' : ''}${shiftKey && key.length > 1 ? 'shift+' : ''}${key}`

/**
 * A dialog is there a moment before it has the focus, longer on a busy machine: a key that comes in between is meant for it, and not for what had
 * the focus before. What a dialog opens beside itself, as a menu, stands outside of the page, too, and keeps its keys.
 */
const passToDialog = (event: KeyboardEvent): void => {
  const dialog = [...document.querySelectorAll<HTMLElement>('[aria-modal=true]')].at(-1)
  if (!(event.target instanceof Element) || dialog === undefined || event.target.closest('[data-portal]') !== null)
    return
  const field = dialog.querySelector<HTMLElement>('[data-autofocus]') ?? dialog
  field.focus({ preventScroll: true })
  event.stopImmediatePropagation()
  // What the key writes or presses follows the focus by itself; who listens for keys is told by a copy.
  if (!field.dispatchEvent(new KeyboardEvent(event.type, event))) event.preventDefault()
}

const isBusy = (target: EventTarget | null): boolean =>
  document.querySelector('[role=dialog], [role=alertdialog]') !== null ||
  (target instanceof Element && target.closest('input, textarea, select, [contenteditable=true], [role=menu]') !== null)
