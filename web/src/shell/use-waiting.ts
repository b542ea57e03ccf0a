import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Output } from '../api/client.ts'
import { operationKey, useOperation } from '../api/hooks.ts'
import { useLiveChange } from '../api/live-connection.ts'

export type WaitingKind = keyof Output<'count_waiting'>

/** While things pour in, they are counted again no more often than this. */
const SETTLED_MS = 3000
/** What nothing tells of, such as a dead letter, shows within this time. */
const REFRESH_MS = 60_000
const TOPICS = ['signals', 'proposals', 'decisions', 'discussions'] as const

/** How much of each kind waits for somebody, kept up to date; undefined until it is known. */
export const useWaiting = (): Output<'count_waiting'> | undefined => {
  const queries = useQueryClient()
  const timer = useRef(0)
  useLiveChange(TOPICS, () => {
    timer.current ||= window.setTimeout(() => {
      timer.current = 0
      void queries.invalidateQueries({ queryKey: operationKey('count_waiting') })
    }, SETTLED_MS)
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return useOperation('count_waiting', {}, { refresh_ms: REFRESH_MS }).data
}
