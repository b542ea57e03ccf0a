import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router'
import { listAbove } from '../api/addresses.ts'
import { t } from '../language/messages.ts'
import { createRegister } from './registered.ts'

export interface KeyBinding {
  /**
   * As `KeyboardEvent.key` has it (`j`, `?`, `ArrowDown`), after `mod+` for Ctrl or ⌘ and, for keys that print nothing,
   * `shift+`. Two keys with a space between them are pressed one after the other: `g c`.
   */
  readonly key: string
  /** For the help: what it does, as a short sentence without its full stop. */
  readonly does: string
  readonly run: () => void
  /** Another binding of the same key goes first, whichever came later. */
  readonly givesWay?: true
  /**
   * The selector of the list that the key belongs to: it rests while the focus is anywhere else. Where nothing has the
   * focus, the key gives it to the list.
   */
  readonly list?: string
}

const bindings = createRegister<KeyBinding>()

/**
 * Binds keys while the component is mounted, and lists them in the help. They rest while somebody writes or a dialog is
 * open.
 */
export const useKeys = (wanted: readonly KeyBinding[]): void => {
  const newest = useRef(wanted)
  // As soon as a screen is seen: a key that comes before other effects have run is meant for what is there.
  useLayoutEffect(() => {
    newest.current = wanted
  })
  const names = JSON.stringify(wanted.map(({ run: _, ...named }) => named))
  // A binding keeps its place while its screen renders again, and runs what the last rendering meant.
  const lasting = useMemo(
    () =>
      (JSON.parse(names) as Omit<KeyBinding, 'run'>[]).map((named, place) => ({
        ...named,
        run: () => newest.current[place]?.run(),
      })),
    [names],
  )
  bindings.useRegister(lasting)
}

/** Undoes the last action by a key of its own, and by those that undo everywhere else. */
export const undoKeys = (run: () => void): readonly KeyBinding[] =>
  ['z', 'mod+z'].map(key => ({ key, does: t('Undo'), run }))

/** Every key that does something at the moment. */
export const useBoundKeys = (): readonly KeyBinding[] => {
  const all = bindings.useAll()
  return all.filter(
    binding => binding.givesWay !== true || all.every(other => other === binding || other.key !== binding.key),
  )
}

/** Whether keys of a single character do something, as the person chose in this browser. */
export const useSingleKeys = () =>
  useLocalStorage<'on' | 'off'>({
    key: STORED,
    defaultValue: 'on',
    getInitialValueInEffect: false,
    serialize: value => value,
    deserialize: stored => (stored === 'off' ? 'off' : 'on'),
  })

const STORED = 'assay-single-keys'

/** Whether a chord is characters alone, as `j`, `?` and `g c`: what a person who dictates presses with every word. */
export const isSingleKey = (chord: string): boolean => chord.split(' ').every(key => [...key].length === 1)

/** The second of two keys follows within this time. */
const SECOND_KEY_MS = 1500

/** Listens; rendered once, by the shell. */
export const useKeyboard = (): void =>
  useEffect(() => {
    // What closes at a key is gone by the time that the key gets here.
    let wasBusy = false
    let first = { chord: '', until: 0 }
    // What a pointer has pressed keeps the focus, and the person looks at the list.
    let isPointed = false
    const point = () => {
      isPointed = true
    }
    const look = (event: KeyboardEvent) => {
      passToDialog(event)
      if (event.key === 'Tab') isPointed = false
      wasBusy = isBusy(event.target)
    }
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || wasBusy || isBusy(event.target)) return
      if (isAnswered(event)) return
      const all = bindings.newestFirst().filter(({ list }) => isPointed || list === undefined || isAt(list))
      const alone = chordOf(event)
      if (localStorage.getItem(STORED) === 'off' && isSingleKey(alone)) return
      const isSecond = event.timeStamp < first.until && all.some(({ key }) => key === `${first.chord} ${alone}`)
      const chord = isSecond ? `${first.chord} ${alone}` : alone
      const isFirst = !isSecond && all.some(({ key }) => key.startsWith(`${alone} `))
      first = { chord: alone, until: isFirst ? event.timeStamp + SECOND_KEY_MS : 0 }
      const bound = all.filter(({ key }) => key === chord)
      const found = bound.find(({ givesWay }) => givesWay !== true) ?? bound[0]
      if (found === undefined) return
      event.preventDefault()
      if (found.list !== undefined && !isWithin(found.list)) focusList(found.list)
      found.run()
    }
    addEventListener('pointerdown', point, { capture: true })
    addEventListener('keydown', look, { capture: true })
    addEventListener('keydown', pressed)
    return () => {
      removeEventListener('pointerdown', point, { capture: true })
      removeEventListener('keydown', look, { capture: true })
      removeEventListener('keydown', pressed)
    }
  }, [])

const chordOf = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string =>
  `${ctrlKey || metaKey ? 'mod+' : ''}${altKey ? 'alt+' : ''}${shiftKey && key.length > 1 ? 'shift+' : ''}${key}`

/**
 * A dialog is there a moment before it has the focus, longer on a busy machine: a key that comes in between is meant
 * for it, and not for what had the focus before. What a dialog opens beside itself, as a menu, stands outside of the
 * page, too, and keeps its keys.
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

/** What keys write into, or choose from. A box to tick takes Space alone. */
const WRITES = 'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=menu]'

const isBusy = (target: EventTarget | null): boolean =>
  document.querySelector('[role=dialog], [role=alertdialog]') !== null ||
  (target instanceof Element && target.closest(WRITES) !== null)

/** What a control does at its own key: nothing takes that from it. */
const isAnswered = ({ key, target }: KeyboardEvent): boolean =>
  (key === 'Enter' || key === ' ') &&
  target instanceof Element &&
  target.matches('a[href], button, summary, [role=button]')

const isWithin = (list: string): boolean => document.activeElement?.closest(list) != null

/** Whether a list has the focus, or nothing has it: the page's main part takes it for what has gone. */
const isAt = (list: string): boolean => {
  const { activeElement } = document
  return isWithin(list) || activeElement === null || activeElement.matches('body, #main')
}

const focusList = (list: string): void =>
  document.querySelector<HTMLElement>(`${list} [tabindex="0"]`)?.focus({ preventScroll: true })

const ROWS = 'main :is(tbody > tr, ul > li, ol > li)'
const TARGETS = 'a[href], button:not(:disabled), summary'

/** What Enter acts on, of each row of each list that is shown; of rows within rows, of the inner ones. */
const targets = (): readonly HTMLElement[] =>
  [...document.querySelectorAll(ROWS)].flatMap(row => {
    const [target] = row.querySelector(ROWS) === null ? row.querySelectorAll<HTMLElement>(TARGETS) : []
    return target?.checkVisibility() === true ? [target] : []
  })

/** Out of the field that searches a list into it. */
export const enterList = (): void => {
  const list = document.querySelector<HTMLElement>(
    'main [role=listbox][tabindex="0"], main [role=treeitem][tabindex="0"]',
  )
  const target = list ?? targets()[0]
  target?.focus()
}

/** Somebody is writing something that leaving would lose. */
const isWriting = (): boolean =>
  [...document.querySelectorAll<HTMLTextAreaElement>('main textarea')].some(({ value }) => value !== '')

/** As many pages of the way back are known. */
const MOST_PAGES = 50

/**
 * `j` and `k` in every list of the app: they move the focus to what the row leads to, which Enter follows and Esc comes
 * back from. A screen that knows more of its list binds the keys itself.
 */
export const useListKeys = (): void => {
  const navigate = useNavigate()
  const { pathname, key } = useLocation()
  const came = useNavigationType()
  const left = useRef('')
  /** The pages that lead to this one, with it as the last. */
  const way = useRef([pathname])
  useLayoutEffect(() => {
    const here = way.current.at(-1) ?? ''
    if (here === pathname) return
    left.current = here
    const isBack = came === NavigationType.Pop && way.current.at(-2) === pathname
    const before = came === NavigationType.Push ? way.current : way.current.slice(0, isBack ? -2 : -1)
    way.current = [...before.slice(-MOST_PAGES), pathname]
  }, [pathname, came])

  const move = (by: 1 | -1) => () => {
    const all = targets()
    const row = document.activeElement?.closest(ROWS)
    const now = row === null ? -1 : all.findIndex(target => target.closest(ROWS) === row)
    // Back from what a row led to, the keys go on at that row.
    const last = now >= 0 ? now : all.findIndex(target => target.getAttribute('href') === left.current)
    const to = now >= 0 ? now + by : Math.max(last, 0)
    all[Math.max(0, Math.min(to, all.length - 1))]?.focus()
  }
  const leave = () => {
    const { activeElement } = document
    if (activeElement instanceof HTMLElement && activeElement.closest(ROWS) !== null) return activeElement.blur()
    const list = listAbove(pathname)
    if (list === null || isWriting()) return
    // As the person left it: with its filters, and where it was scrolled to. A page that was opened from another one
    // goes back to that. `default` is the first page of the visit.
    const from = way.current.at(-2)
    const isFromHere = from !== undefined && (from === list || listAbove(from) !== null)
    if (key !== 'default' && isFromHere) navigate(-1)
    else navigate(list)
  }
  useKeys([
    { key: 'j', does: t('Next line'), run: move(1), givesWay: true },
    { key: 'k', does: t('Previous line'), run: move(-1), givesWay: true },
    { key: 'Escape', does: t('Leave the line, or go back'), run: leave, givesWay: true },
  ])
}

const ON_MAC = typeof navigator !== 'undefined' && navigator.platform.startsWith('Mac')

const NAMES: Readonly<Record<string, string>> = {
  mod: ON_MAC ? '⌘' : t('Ctrl [key]'),
  shift: t('Shift [key]'),
  ArrowUp: '↑',
  ArrowDown: '↓',
  PageUp: t('Page up [key]'),
  PageDown: t('Page down [key]'),
  Home: t('Home [key]'),
  End: t('End [key]'),
  Enter: t('Enter [key]'),
  Escape: t('Esc [key]'),
  Delete: t('Del [key]'),
}

/**
 * What stands on the keys of a chord, in the order in which they are pressed: `J` is Shift and J, `g c` is G and then
 * C.
 */
export const keycapsOf = (chord: string): readonly string[] =>
  chord.split(' ').flatMap(keys =>
    keys.split(/\+(?=.)/).flatMap(key => {
      if (NAMES[key] !== undefined) return [NAMES[key]]
      return /^\p{Lu}$/u.test(key) ? [NAMES.shift ?? '', key] : [key.length === 1 ? key.toUpperCase() : key]
    }),
  )
