import { useSyncExternalStore } from 'react'
import type { Guard } from '../../api/guard.ts'

/** What a dialog or a form is there for: a write of `useChange`, `useWrite` or what is made of them. Null: nothing is sent, as of what only this page knows. */
export type AskedChange = {
  readonly guard: Guard
  readonly error: unknown
  readonly reset: () => void
} | null

const never = () => () => {}
const free = () => 'free' as const

/** Whether a change is on its way, or done: known at once, before the next click. */
export const useProgress = (change: AskedChange): ReturnType<Guard['state']> =>
  useSyncExternalStore(change?.guard.watch ?? never, change?.guard.state ?? free)
